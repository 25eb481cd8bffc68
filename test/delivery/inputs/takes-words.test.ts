import { expect, test } from 'vitest'
import { realDrivers } from '../../../src/agents/all.ts'
import { takesWords } from '../../../src/delivery/inputs/takes-words.ts'

const driverOf = (kind: string) => realDrivers.find((driver) => driver.kind === kind)!
const asked = (ref: string | null, options: string[] = ['Yes', 'No']) => ({
  ref,
  text: 'Would you like to?',
  options,
})
const permission = {
  claude: JSON.stringify({ id: 'r1', grants: [] }),
  codex: JSON.stringify({ id: 1, results: [{}, {}], takes: { instead: { threadId: 't', turnId: 'u' } } }),
  opencode: 'per_1',
}

test.each(Object.entries(permission))(
  '%s takes words instead of a permission that it asked for itself',
  (kind, ref) => {
    expect(takesWords(asked(ref), driverOf(kind))).toBe(true)
  },
)

test.each(['claude', 'codex'])('a dialog on the screen of %s takes no words', (kind) => {
  expect(takesWords(asked(null), driverOf(kind))).toBe(false)
  expect(takesWords(asked(null, []), driverOf(kind))).toBe(false)
})

test('a menu of Pi’s takes its options, and its line for a text takes words', () => {
  expect(takesWords(asked('select:1'), driverOf('pi'))).toBe(false)
  expect(takesWords(asked('input:1', []), driverOf('pi'))).toBe(true)
})

test('a question of Codex that has no form takes its options alone', () => {
  expect(takesWords(asked(JSON.stringify({ id: 1, results: [{}, {}] })), driverOf('codex'))).toBe(false)
})

test('an agent that hears nothing takes nothing', () => {
  expect(takesWords(asked(null), { lines: undefined, keys: undefined })).toBe(false)
})
