import { expect, test } from 'vitest'
import { asRunId, asTaskId } from '../../src/domain/ids.ts'
import type { Run, TaskSummary } from '../../src/domain/task.ts'
import { decide, EXIT_RECORD_GRACE_MS, type Observation, type Rules } from '../../src/supervisor/decide.ts'

const GRACE_MS = 10_000
const rules: Rules = { launchGraceMs: GRACE_MS, exitCodeTells: false }
const task = (over: Partial<TaskSummary> = {}) =>
  ({ id: asTaskId('t'), status: 'running', stop: null, maxDurationMs: null, ...over }) as TaskSummary
const run = (over: Partial<Run> = {}) => ({ id: asRunId('r'), state: 'live', result: null, ...over }) as Run
const start = { pid: 7, startTicks: 70, bootId: 'b' }
const exit = (code: number | null, signal: string | null = null) => ({ code, signal, atMs: 1, bootId: 'b' })
const seen = (over: Partial<Observation> = {}): Observation => ({
  start,
  exit: undefined,
  alive: true,
  otherBoot: false,
  missingMs: 0,
  watchedMs: 0,
  workedMs: 0,
  ...over,
})
const stop = { kind: 'kill', by: 'ada', reason: 'enough', at: 1 } as const

test.each<[string, Parameters<typeof decide>, object]>([
  ['a living run is left alone', [task(), run(), seen(), rules], { kind: 'leave_alone' }],
  [
    'a launching run whose process shows is adopted',
    [task(), run({ state: 'launching' }), seen(), rules],
    { kind: 'adopt', start },
  ],
  [
    'a launch is given time',
    [task(), run({ state: 'launching' }), seen({ start: undefined, alive: false }), rules],
    { kind: 'leave_alone' },
  ],
  [
    'a launch that shows nothing for long is settled by its claim',
    [
      task(),
      run({ state: 'launching' }),
      seen({ start: undefined, alive: false, watchedMs: GRACE_MS }),
      rules,
    ],
    { kind: 'settle_claim' },
  ],
  [
    'a process that just vanished may still get its exit record',
    [task(), run(), seen({ alive: false }), rules],
    { kind: 'leave_alone' },
  ],
  ['an ordered end is carried out', [task({ stop }), run(), seen(), rules], { kind: 'end_run' }],
  [
    'working time used up',
    [task({ maxDurationMs: 100 }), run(), seen({ workedMs: 100 }), rules],
    { kind: 'time_out' },
  ],
  [
    'working time not used up',
    [task({ maxDurationMs: 100 }), run(), seen({ workedMs: 99 }), rules],
    { kind: 'leave_alone' },
  ],
  [
    'a run that is over is left alone whatever is seen',
    [task(), run({ state: 'void' }), seen({ exit: exit(0) }), rules],
    { kind: 'leave_alone' },
  ],
])('%s', (_, given, expected) => {
  expect(decide(...given)).toEqual(expected)
})

const ended = (over: Partial<Observation>) => seen({ alive: false, missingMs: EXIT_RECORD_GRACE_MS, ...over })
test.each<[string, TaskSummary, Run, Observation, { event: string; reason: string }]>([
  [
    'exit 0 with the agent’s word is completed',
    task(),
    run({ result: { ok: true, text: 'done' } }),
    ended({ exit: exit(0) }),
    { event: 'completed', reason: 'the agent finished' },
  ],
  [
    'exit 0 without a word is not success',
    task(),
    run(),
    ended({ exit: exit(0) }),
    { event: 'failed', reason: 'exited with code 0, but without a result' },
  ],
  [
    'the agent’s word counts more than its exit code',
    task(),
    run({ result: { ok: true, text: 'done' } }),
    ended({ exit: exit(null, 'KILL') }),
    { event: 'completed', reason: 'the agent finished' },
  ],
  [
    'a failure is told in the agent’s words',
    task(),
    run({ result: { ok: false, text: 'no such model\nmore' } }),
    ended({ exit: exit(0) }),
    { event: 'failed', reason: 'no such model' },
  ],
  [
    'a signal is named',
    task(),
    run(),
    ended({ exit: exit(null, 'SEGV') }),
    { event: 'failed', reason: 'killed by SIGSEGV before it finished' },
  ],
  [
    'a code is named',
    task(),
    run(),
    ended({ exit: exit(3) }),
    { event: 'failed', reason: 'exited with code 3' },
  ],
  [
    'no record at all is failed, not forgotten',
    task(),
    run(),
    ended({}),
    { event: 'failed', reason: 'its process vanished without an exit record' },
  ],
  [
    'a reboot is told as such, without waiting',
    task(),
    run(),
    ended({ otherBoot: true, missingMs: 0 }),
    { event: 'failed', reason: 'the machine was restarted under it' },
  ],
  [
    'an ordered end is cancelled, with the reason given',
    task({ stop }),
    run({ result: { ok: true, text: '' } }),
    ended({ exit: exit(0) }),
    { event: 'cancelled', reason: 'enough' },
  ],
  [
    'an agent quicker than our first look is harvested',
    task(),
    run({ state: 'launching', result: { ok: true, text: '' } }),
    ended({ start: undefined, exit: exit(0) }),
    { event: 'completed', reason: 'the agent finished' },
  ],
])('%s', (_, givenTask, givenRun, observation, outcome) => {
  expect(decide(givenTask, givenRun, observation, rules)).toMatchObject({ kind: 'harvest', outcome })
})

const asking = task({ status: 'waiting_input' })
test.each<[string, TaskSummary, Run, Observation, { event: string; reason: string }]>([
  [
    '0 is completed',
    task(),
    run(),
    ended({ exit: exit(0) }),
    { event: 'completed', reason: 'exited with code 0' },
  ],
  ['3 is failed', task(), run(), ended({ exit: exit(3) }), { event: 'failed', reason: 'exited with code 3' }],
  [
    '0 with an open question is not success',
    asking,
    run(),
    ended({ exit: exit(0) }),
    { event: 'failed', reason: 'exited with its question unanswered' },
  ],
  [
    '0 after it told of a failure is failed',
    task(),
    run({ result: { ok: false, text: 'no key' } }),
    ended({ exit: exit(0) }),
    { event: 'failed', reason: 'no key' },
  ],
  [
    'a signal is failed',
    task(),
    run(),
    ended({ exit: exit(null, 'KILL') }),
    { event: 'failed', reason: 'killed by SIGKILL before it finished' },
  ],
  [
    'no record is failed',
    task(),
    run(),
    ended({}),
    { event: 'failed', reason: 'its process vanished without an exit record' },
  ],
  [
    'an ordered end stays cancelled',
    task({ stop }),
    run(),
    ended({ exit: exit(0) }),
    { event: 'cancelled', reason: 'enough' },
  ],
])('where the exit code tells: %s', (_, givenTask, givenRun, observation, outcome) => {
  const decision = decide(givenTask, givenRun, observation, { ...rules, exitCodeTells: true })
  expect(decision).toMatchObject({ kind: 'harvest', outcome })
})

test('every outcome carries the evidence it was made from', () => {
  const decision = decide(task(), run({ result: { ok: true, text: '' } }), ended({ exit: exit(0) }), rules)
  expect(decision).toMatchObject({
    outcome: {
      evidence: [
        { source: 'exit_record', fact: 'code 0' },
        { source: 'agent', fact: 'result: ok' },
      ],
    },
  })
})
