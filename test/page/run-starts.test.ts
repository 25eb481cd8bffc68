import { expect, test } from 'vitest'
import { WAYS } from '../../src/supervisor/ending/run-marks.ts'
import { runStarts, startedAt } from '../../web/src/screens/task/output/run-starts.ts'
import { outputLines } from '../../web/src/words/output.ts'

const step = (event: string, run: number | null, at: string) => ({
  ...{ event, run, at, from: 'pending', to: 'running', phase: null, reason: '', evidence: [] },
})
const starts = runStarts([
  step('created', null, '2025-11-18T15:30:00Z'),
  step('launched', 1, '2025-11-18T15:30:01Z'),
  step('agent_started', 1, '2025-11-18T15:30:02Z'),
  step('launched', 2, '2025-11-18T15:40:00Z'),
])
const at = (line: string) => startedAt(outputLines([line])[0]!, starts)

test.each([...Object.values(WAYS), 'begins'])('a run that %s has the time of its start', (way) => {
  expect(at(`[holdfast] run 2 ${way}`)).toBe(Date.parse('2025-11-18T15:40:00Z'))
})

test.each([
  '[holdfast] run 2 ended: exited with code 1',
  '[holdfast] run 7 begins',
  'agent: run 2 begins',
  'run 2 begins',
])('no time is invented for another line: %s', (line) => {
  expect(at(line)).toBeUndefined()
})
