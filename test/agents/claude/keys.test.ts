import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { claudeDriver } from '../../../src/agents/claude/driver.ts'
import { reading } from '../../../src/ports/run/screen.ts'

const folder = new URL('../../fixtures/screens/claude/', import.meta.url)
const read = (name: string) =>
  claudeDriver.readScreen({ text: readFileSync(new URL(`${name}.txt`, folder), 'utf8') })
const keys = (name: string, option: number | null) =>
  claudeDriver.keys!.choose(read(name), { option, text: 'words' })

test.each([
  ['asking--command', 0, ['1']],
  ['asking--command', 3, ['4']],
  ['asking--exit-plan-mode', 1, ['2']],
  ['asking--question', 1, ['2']],
  ['asking--folder-trust', 0, ['Enter']],
  ['asking--folder-trust', 1, ['Down', 'Enter']],
  ['asking--api-key', 0, ['Down', 'Enter']],
  ['asking--api-key', 1, ['Enter']],
  ['asking--bypass-warning', 1, ['Down', 'Enter']],
])('%s: option %j is chosen by %j', (name, option, pressed) => expect(keys(name, option)).toEqual(pressed))

test.each([
  ['asking--command', null],
  ['asking--command', 4],
  ['asking--command', -1],
  ['asking--question', 2],
  ['asking--wide-choose-session', 0],
  ['idle--draft', 0],
  ['working--tool', 0],
])('%s: for option %j nothing is pressed', (name, option) => expect(keys(name, option)).toBeNull())

test('what only ticks a box, stands twice or has no key of its own is left to a person', () => {
  const choose = (options: string[], option: number, evidence = 'Esc to cancel') =>
    claudeDriver.keys!.choose(reading('asking', evidence, { question: { text: '', options } }), {
      option,
      text: '',
    })
  expect(choose(['[ ] Red', '[ ] Blue'], 0)).toBeNull()
  expect(choose(['Yes', 'Yes', 'No'], 2, '❯ Yes')).toBeNull()
  expect(choose(['No', 'Yes'], 1, '❯ Neither')).toBeNull()
  expect(choose(Array(12).fill('x'), 9)).toBeNull()
})
