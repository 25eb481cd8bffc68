import { expect, test } from 'vitest'
import { claudeKeys } from '../../src/agents/claude/keys.ts'
import { codexKeys } from '../../src/agents/codex/keys.ts'
import { scriptedKeys } from '../../src/agents/scripted/keys.ts'

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n')
const all = [
  ['claude', claudeKeys],
  ['codex', codexKeys],
  ['scripted', scriptedKeys],
] as const

test.each(all)('%s: a short text is compared as it is drawn', (_kind, keys) => {
  expect(keys.drawn('one two\nthree', 'one two three')).toBe('whole')
  expect(keys.drawn('one two th', 'one two three')).toBe('maimed')
  expect(keys.drawn('one two threex', 'one two three')).toBe('other')
})

test('Claude Code shows a word for many lines, and for a long one', () => {
  expect(claudeKeys.drawn('[Pasted text #3 +39 lines]', lines(40))).toBe('whole')
  expect(claudeKeys.drawn('[Pasted text #1]', 'x'.repeat(900))).toBe('whole')
  expect(claudeKeys.drawn('[Pasted text #3 +38 lines]', lines(40))).toBe('other')
  expect(claudeKeys.drawn('[Pasted text #3 +39 lines]x', lines(40))).toBe('other')
  expect(claudeKeys.drawn('[Pasted text #1][Pasted text #2]', 'x'.repeat(900))).toBe('other')
})

test('Codex shows a word for a long text, and only the end of many lines', () => {
  expect(codexKeys.drawn('[Pasted Content 1001 chars]', `${'x'.repeat(1000)}😀`)).toBe('whole')
  expect(codexKeys.drawn('[Pasted Content 1001 chars]', 'x'.repeat(1000))).toBe('other')
  const end = lines(40).split('\n').slice(11).join('\n')
  const drawn = end.replace('\n', `${' '.repeat(190)}↑\n`)
  expect(codexKeys.drawn(drawn, lines(40))).toBe('whole')
  expect(codexKeys.drawn(drawn.slice(0, -1), lines(40))).toBe('other')
  expect(codexKeys.drawn(end, lines(40))).toBe('maimed')
})

const RULE = '─'.repeat(40)

test('all prompts are read above the box, and none from it', () => {
  const claude = `❯ first\n\n● answer\n\n❯ one\n  two\n\n  four\n\n● answer\n${' '.repeat(30)}hint\n${RULE}\n❯\u00a0draft\n${RULE}\n  ? for shortcuts`
  expect(claudeKeys.prompts(claude)).toEqual(['first', 'one\n  two\n\n  four'])
  expect(claudeKeys.prompts(`● answer\n${RULE}\n❯\u00a0\n${RULE}`)).toEqual([])
  const codex =
    '› first\n\n• answer\n\n› one\n    two\n\n• answer\n\n  Worked for <1s\n\n› draft\n\n  model · /dir'
  expect(codexKeys.prompts(codex)).toEqual(['first', 'one\n    two'])
  expect(codexKeys.prompts('• answer\n\n› draft\n\n  model · /dir')).toEqual([])
  const scripted = `title\n> one\ntwo\n● answer\n✓ done\n\nIdle\n${RULE}\n> draft\n${RULE}\nenter sends`
  expect(scriptedKeys.prompts(scripted)).toEqual(['one\ntwo'])
  expect(scriptedKeys.prompts(`title\n\nIdle\n${RULE}\n> draft\n${RULE}\nenter sends`)).toEqual([])
})
