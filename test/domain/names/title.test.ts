import { expect, test } from 'vitest'
import { checkTitle, titleOf } from '../../../src/domain/names/title.ts'

test.each([
  ['fix the failing login test', 'fix the failing login test'],
  ['\n\n# Task: mend the build\n\nIt fails since Monday.', 'Task: mend the build'],
  ['---\n***\n  - look at  the\tlogs', 'look at the logs'],
  ['> quoted\nmore', 'quoted'],
  ['!!!\n???', '!!!'],
  ['\u001b[31mred\u0007 alert\u202e', '[31mred alert'],
  ['修复登录测试', '修复登录测试'],
  ['', ''],
])('what %j is about: %j', (prompt, title) => {
  expect(titleOf(prompt)).toBe(title)
})

test('a long first line is cut, never in the middle of a character', () => {
  expect(titleOf('😀'.repeat(200))).toBe(`${'😀'.repeat(119)}…`)
  expect(titleOf('x'.repeat(5000))).toBe(`${'x'.repeat(119)}…`)
})

test('a title of one’s own is one line with words in it', () => {
  expect(checkTitle('  nightly\nreview ')).toBe('nightly review')
  expect(() => checkTitle(' \n ')).toThrow(/has no words/)
})
