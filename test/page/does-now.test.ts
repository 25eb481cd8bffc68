import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RunStepJson, RunStoryJson } from '../../src/protocol/json/recovery-json.ts'
import { ACTIVITY_PARTS, activityOf } from '../../web/src/words/activity.ts'
import { doesNow } from '../../web/src/words/does-now.ts'
import { screenLine } from '../../web/src/words/screen-line.ts'

test.each([
  ['tool: npm test -- login\n', { verb: 'runs', text: 'npm test -- login', isCode: true }],
  [
    'tool: npm test\ntool done: npm test\nusage: 3 tokens in\n',
    { verb: 'ran', text: 'npm test', isCode: true },
  ],
  ['agent: Two fail:\n       a and b\nnote: thinks\n', { verb: 'says', text: 'Two fail:', isCode: false }],
  ['tool failed: npm test 2 of 3\n', { verb: 'failed', text: 'npm test 2 of 3', isCode: true }],
  ['[holdfast] resumed as run 2\n', { verb: '', text: 'resumed as run 2', isCode: false }],
  ['session: 0a1b\nunknown: {"x":1}\n', null],
  ['', null],
])('of the output %j, what it does is %j', (output, doing) => expect(doesNow(output)).toEqual(doing))

const screens = new URL('../fixtures/screens/', import.meta.url)
const screen = (name: string) => readFileSync(new URL(`${name}.txt`, screens), 'utf8')

test.each([
  ['scripted/working--tool', 'npm test(60 s)'],
  ['claude/working--retrying-bad-key', '401 invalid x-api-key · Retrying in 2s · attempt 3/10'],
  [
    'codex/working--reconnecting',
    'We’re currently experiencing high demand, which may cause temporary errors.',
  ],
  ['pi/working--retrying', 'Retrying (2/3) in 4s...'],
  ['opencode/working--retrying-now', 'scripted error 400 [retrying attempt #2]'],
])('of the screen %s, the line that says what it does is %j', (name, line) =>
  expect(screenLine(screen(name))).toBe(line),
)

test('of no recorded screen of an agent at work, a hint, a frame or the input is taken for what it does', () => {
  const kinds = readdirSync(screens)
  const working = kinds.flatMap((kind) =>
    readdirSync(new URL(`${kind}/`, screens))
      .filter((file) => /^working.*\.txt$/.test(file))
      .map((file) => `${kind}/${file.replace('.txt', '')}`),
  )
  expect(working.length).toBeGreaterThan(20)
  const lines = working.map((name) => [name, screenLine(screen(name))] as const)
  expect(lines.filter(([, line]) => line === null)).toEqual([])
  const foreign = /^[❯›>] |[─━┃]{3}|for shortcuts|esc(ape)? (to )?(interrupt|cancel)|ctrl-c twice/
  expect(lines.filter(([, line]) => foreign.test(line ?? ''))).toEqual([])
})

test('the last line of a screen without an input is told, and of an empty one nothing', () => {
  expect(screenLine('Downloading 3 of 9\n\n')).toBe('Downloading 3 of 9')
  expect(screenLine('\n ──────\n > \n')).toBe(null)
})

const NOW = Date.parse('2026-01-01T12:00:00Z')
const step = (minutesAgo: number, endedAgo: number | null): RunStepJson => ({
  tool: 'Bash',
  detail: '',
  ok: endedAgo === null ? null : true,
  at: new Date(NOW - minutesAgo * 60_000).toISOString(),
  ended_at: endedAgo === null ? null : new Date(NOW - endedAgo * 60_000).toISOString(),
})
const run = (state: string, steps: RunStepJson[]) => ({ state, steps }) as RunStoryJson

test('tool calls of the last quarter of an hour are counted where they went on', () => {
  const counts = activityOf([run('live', [step(20, 16), step(10.2, 10.1), step(1.2, null)])], NOW)!
  expect(counts).toHaveLength(ACTIVITY_PARTS)
  expect(counts.map((count, at) => (count > 0 ? at : -1)).filter((at) => at >= 0)).toEqual([9, 27, 28, 29])
  expect(activityOf([run('live', [step(20, 16)])], NOW)).toBe(null)
})

test('a call of a dead run whose end was never heard of does not go on', () => {
  const counts = activityOf([run('exited', [step(10.2, null)])], NOW)!
  expect(counts.reduce((sum, count) => sum + count)).toBe(1)
})
