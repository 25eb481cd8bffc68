import { expect, test } from 'vitest'
import type { RunStepJson, RunStoryJson, StoryJson } from '../../src/protocol/json/recovery-json.ts'
import { callsNotKept, toolTicks } from '../../web/src/words/tool-ticks.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const call = (tool: string, changes: Partial<RunStepJson> = {}): RunStepJson => ({
  tool,
  detail: '',
  ok: true,
  at: at(10),
  ended_at: at(12),
  ...changes,
})
const run = (steps: readonly RunStepJson[], tools = steps.length): RunStoryJson => ({
  number: 1,
  how: 'start',
  state: 'live',
  exit: null,
  failure: null,
  tools,
  progress: 0,
  steps: [...steps],
})

test('a call is a tick as long as it took, says what it was, and is told apart when it failed', () => {
  const steps = [
    call('Bash', { detail: 'npm test' }),
    call('Edit', { ok: false, at: at(20), ended_at: at(21) }),
    call('Read', { ok: null, at: at(30), ended_at: null }),
  ]
  expect(toolTicks({ runs: [run(steps)], story: [] }, 0, 40_000)).toEqual([
    { from: 10_000, to: 12_000, failed: false, label: 'Bash npm test · took 2 s' },
    { from: 20_000, to: 21_000, failed: true, label: 'Edit · failed after 1 s' },
    { from: 30_000, to: 40_000, failed: false, label: 'Read · goes on' },
  ])
})

test('a call stays on the axis, and one without a time has no place there', () => {
  const steps = [call('Bash', { at: at(0), ended_at: at(90) }), call('Old', { at: null, ended_at: null })]
  expect(
    toolTicks({ runs: [run(steps)], story: [] }, 5000, 60_000).map(({ from, to }) => [from, to]),
  ).toEqual([[5000, 60_000]])
})

const step = (seconds: number, run: number | null, exit?: string): StoryJson => ({
  ...{ at: at(seconds), event: 'e', from: 'running', to: 'running', phase: 'working', reason: '', run },
  evidence: exit === undefined ? [] : [{ source: 'exit_record', fact: exit }],
})

test('a call that was open when its run ended goes on no longer', () => {
  const open = call('Bash', { ok: null, ended_at: null })
  const runs = [run([open]), { ...run([{ ...open, at: at(20) }]), number: 2 }]
  const ends = (...story: StoryJson[]) =>
    toolTicks({ runs, story }, 0, 40_000).map(({ to, label }) => [to, label])
  const goesOn = [40_000, 'Bash · goes on']
  expect(ends(step(0, 1), step(13, null, 'signal KILL'), step(15, 2), step(17, 2))).toEqual([
    [13_000, 'Bash · cut off after 3 s'],
    goesOn,
  ])
  expect(ends(step(0, 1), step(13, null), step(15, 2))).toEqual([
    [15_000, 'Bash · cut off after 5 s'],
    goesOn,
  ])
  // While it asks, it lives.
  expect(ends(step(0, 1), step(13, null))).toEqual([goesOn, goesOn])
})

test('calls that are not kept are counted', () => {
  expect(callsNotKept([run([call('Bash')], 41), run([])])).toBe(40)
})
