import { expect, test } from 'vitest'
import { type After, decideEnd, type EndFacts } from '../../../src/supervisor/recovering/decide-end.ts'
import { backoff, recoveryRules } from '../../../src/supervisor/recovering/recovery-rules.ts'
import { aRestart, aStop } from '../../builders/orders.ts'

const NOW = 1_000_000
const terms = {
  retries: 10,
  backoffBaseMs: 5_000,
  backoffCapMs: 600_000,
  deadlineMs: 18_000_000,
  loopDeaths: 3,
  loopWindowMs: 900_000,
  maxCostUsd: null,
  maxTokens: null,
  stuckAfterMs: 300_000,
  stuckQuietMs: 1_800_000,
  restartAfterMs: 30_000,
  startTimeoutMs: 60_000,
}
const goOn = { how: 'resume', say: 'go on' } as const
const runtime = {
  graceMs: 30_000,
  deaths: 1,
  promptWaits: false,
  anew: { how: 'fresh', say: null },
  silentMs: null,
  restartsForPrompt: null,
} as const
const facts = (over: Partial<EndFacts> = {}): EndFacts => ({
  stop: null,
  restart: null,
  finishBy: null,
  mode: 'headless',
  result: null,
  mustVerify: false,
  untoldChildren: 0,
  ending: 'killed by SIGKILL before it finished',
  evidence: [],
  failure: null,
  limitedUntil: null,
  limitIsTold: true,
  asks: null,
  exitedByItself: false,
  byPerson: null,
  outsideCause: null,
  session: 'known',
  sessionIsLost: false,
  goOn,
  runtime: null,
  retries: 0,
  deaths: 1,
  likeFailures: 1,
  breakerFailures: 3,
  endedAt: NOW,
  failuresAsCanary: 0,
  othersMakeProgress: false,
  workedMs: 0,
  terms,
  parkEnabled: true,
  now: NOW,
  jitter: 0,
  ...over,
})
const ok = { ok: true, text: 'done' }
const no = { ok: false, text: 'broken\nmore' }
const stop = aStop({ by: 'ada', reason: 'enough' })
const restart = aRestart({ by: 'ada', reason: 'mine', mode: 'interactive' })

type Row = readonly [string, Partial<EndFacts>, string, Partial<After>]
const rows: readonly Row[] = [
  [
    'an order to end goes before all',
    { stop, restart, result: ok },
    'ordered_end',
    { kind: 'end', event: 'cancelled' },
  ],
  [
    'an order to restart goes before its result',
    { restart, result: ok },
    'ordered_restart',
    { kind: 'go_on', costs: false },
  ],
  [
    'one that is taken over goes on in its session as ordered',
    { restart: { ...restart, goOn: { how: 'resume', say: null } }, goOn: { how: 'resume', say: 'go on' } },
    'ordered_restart',
    { kind: 'go_on', goOn: { how: 'resume', say: null } },
  ],
  [
    'one that is taken over before its session began is told its prompt in its terminal',
    { restart: { ...restart, goOn: { how: 'resume', say: null } }, goOn: { how: 'fresh', say: 'work' } },
    'ordered_restart',
    { kind: 'go_on', goOn: { how: 'fresh', say: 'work' } },
  ],
  [
    'an agent that is restarted because it is stuck costs a retry',
    { restart: { ...restart, kind: 'stuck' } },
    'ordered_restart',
    { kind: 'go_on', costs: true },
  ],
  [
    'one that a person finished is completed, however its process ended',
    { finishBy: 'me', result: no },
    'ordered_finish',
    { kind: 'end', event: 'completed' },
  ],
  [
    'the agent’s own result counts more than its exit',
    { result: ok },
    'finished',
    { kind: 'end', event: 'completed' },
  ],
  [
    'it waits for those that it started, before its contract is looked at',
    { result: ok, mustVerify: true, untoldChildren: 2 },
    'awaits_children',
    { kind: 'await_children', goOn: { how: 'resume', say: null } },
  ],
  [
    'a contract is looked at first',
    { result: ok, mustVerify: true },
    'finished_unverified',
    { kind: 'verify' },
  ],
  [
    'a person is asked, not overruled',
    { byPerson: 'left' },
    'person',
    { kind: 'ask', event: 'person_stopped', options: ['resume', 'close'] },
  ],
  [
    'a person who left is asked, even when the agent told of a limit',
    { byPerson: 'left', failure: 'limit' },
    'person',
    { kind: 'ask' },
  ],
  [
    'a limit that was told parks the account',
    { failure: 'limit', limitedUntil: NOW + 50_000 },
    'limit',
    { kind: 'park', gate: 'limit', untilMs: NOW + 50_000 },
  ],
  [
    'a limit on the screen parks one task',
    { failure: 'limit', limitIsTold: false },
    'limit',
    { kind: 'park', gate: null, untilMs: NOW + 60_000 },
  ],
  [
    'parking can be switched off',
    { failure: 'limit', parkEnabled: false },
    'limit_asked',
    { kind: 'ask', event: 'question_asked' },
  ],
  [
    'a login is a person’s business',
    { failure: 'permanent', result: no },
    'permanent',
    { kind: 'ask', event: 'question_asked' },
  ],
  [
    'one that asked and left waits for the answer',
    { asks: 'Which?', exitedByItself: true, result: no },
    'asked_and_left',
    { kind: 'await_answer' },
  ],
  [
    'one that was killed while it asked is brought back',
    { asks: 'Which?', exitedByItself: false },
    'died',
    { kind: 'go_on' },
  ],
  ['an agent that says no is believed', { result: no }, 'said_no', { kind: 'end', event: 'failed' }],
  [
    'a refused session stops everything',
    { session: 'refused' },
    'session_refused',
    { kind: 'end', event: 'failed', escalate: true },
  ],
  [
    'a reboot costs nothing',
    { outsideCause: 'reboot', retries: 10, deaths: 9 },
    'reboot',
    { kind: 'go_on', costs: false, staggered: true },
  ],
  [
    'the end of the tmux server costs nothing',
    { outsideCause: 'tmux_died', retries: 10 },
    'terminal_gone',
    { kind: 'go_on', costs: false },
  ],
  [
    'the network holds everybody',
    { failure: 'environment', result: no },
    'environment',
    { kind: 'park', gate: 'environment', untilMs: NOW + 5_000 },
  ],
  [
    'a runtime that ended comes back after its grace',
    { runtime, workedMs: 18_000_000, deaths: 3 },
    'runtime_back',
    { kind: 'back_off', waitMs: 30_000, goOn },
  ],
  [
    'a runtime that somebody waits for comes back at once, the first time',
    { runtime: { ...runtime, promptWaits: true } },
    'runtime_back',
    { kind: 'go_on', goOn },
  ],
  [
    'a runtime that died at its start waits, whoever waits for it',
    { runtime: { ...runtime, promptWaits: true }, retries: 1 },
    'runtime_back',
    { kind: 'back_off', waitMs: 30_000 },
  ],
  [
    'a runtime that keeps ending begins a new session',
    { runtime: { ...runtime, deaths: 3 } },
    'runtime_anew',
    { kind: 'back_off', goOn: runtime.anew },
  ],
  [
    'a runtime that was resumed often enough for its prompt begins a new session',
    { runtime: { ...runtime, promptWaits: true, restartsForPrompt: 2 } },
    'runtime_anew',
    { kind: 'back_off', goOn: runtime.anew },
  ],
  [
    'a runtime that was silent for long begins a new session for its prompt',
    { runtime: { ...runtime, promptWaits: true, silentMs: 50_000_000 } },
    'runtime_anew',
    { kind: 'back_off', goOn: runtime.anew },
  ],
  [
    'a runtime that is ended for a prompt is resumed with it',
    { runtime, restart: aRestart({ kind: 'trigger', goOn: null }) },
    'ordered_restart',
    { kind: 'go_on', goOn, costs: false },
  ],
  [
    'a runtime that keeps ending is not resumed for a prompt: a new session begins',
    {
      runtime: { ...runtime, deaths: terms.loopDeaths },
      restart: aRestart({ kind: 'trigger', goOn: null }),
    },
    'ordered_restart',
    { kind: 'go_on', goOn: runtime.anew, costs: false },
  ],
  [
    'one end less, and it is resumed with it',
    {
      runtime: { ...runtime, deaths: terms.loopDeaths - 1 },
      restart: aRestart({ kind: 'trigger', goOn: null }),
    },
    'ordered_restart',
    { kind: 'go_on', goOn, costs: false },
  ],
  [
    'a runtime that is ended for a prompt in vain begins a new session',
    { runtime, restart: aRestart({ kind: 'spawn', goOn: null }) },
    'ordered_restart',
    { kind: 'go_on', goOn: runtime.anew, costs: false },
  ],
  [
    'a runtime whose session id is not valid begins a new session',
    { runtime, session: 'refused' },
    'runtime_anew',
    { kind: 'back_off', goOn: runtime.anew },
  ],
  [
    'a runtime that does not come up is a person’s business',
    { runtime, retries: 10 },
    'runtime_given_up',
    { kind: 'ask', event: 'escalated', options: ['resume', 'retry', 'close'] },
  ],
  [
    'a runtime waits for the end of a limit as every task does',
    { runtime, failure: 'limit' },
    'limit',
    { kind: 'park' },
  ],
  [
    'past the deadline nothing is retried',
    { workedMs: 18_000_000 },
    'deadline',
    { kind: 'end', event: 'failed' },
  ],
  [
    'without retries left the task fails',
    { retries: 10 },
    'out_of_retries',
    { kind: 'end', event: 'failed' },
  ],
  [
    'a lost session is begun anew',
    { sessionIsLost: true, deaths: 3 },
    'session_lost',
    { kind: 'go_on', costs: true },
  ],
  [
    'a crash loop is shown to a person',
    { deaths: 3, retries: 2 },
    'crash_loop',
    { kind: 'ask', event: 'escalated', options: ['resume', 'retry', 'close'] },
  ],
  [
    'like failures open the breaker',
    { failure: 'transient', result: no, likeFailures: 3 },
    'breaker',
    { kind: 'park', gate: 'breaker' },
  ],
  [
    'who fails twice as canary is a person’s business',
    { failure: 'transient', result: no, likeFailures: 3, failuresAsCanary: 2 },
    'failed_canary',
    { kind: 'ask', event: 'question_asked', options: ['resume', 'retry', 'close'] },
  ],
  [
    'like failures do not open the breaker while others make progress',
    { failure: 'transient', result: no, likeFailures: 3, othersMakeProgress: true },
    'died',
    { kind: 'go_on' },
  ],
  [
    'an environment that fails one task alone does not hold the others',
    { failure: 'environment', result: no, othersMakeProgress: true, retries: 1 },
    'died',
    { kind: 'back_off' },
  ],
  [
    'a limit that others do not meet parks it alone',
    { failure: 'limit', othersMakeProgress: true },
    'limit',
    { kind: 'park', gate: null },
  ],
  ['deaths by a signal do not open the breaker', { likeFailures: 3 }, 'died', { kind: 'go_on' }],
  ['the first retry comes at once', {}, 'died', { kind: 'go_on', costs: true, staggered: false }],
  ['the second retry comes after a pause', { retries: 1 }, 'died', { kind: 'back_off', waitMs: 5_000 }],
  ['a failure that may pass is retried', { failure: 'transient', result: no }, 'died', { kind: 'go_on' }],
]

test.each(rows)('%s', (_, over, rule, after) => {
  expect(decideEnd(facts(over))).toMatchObject({ rule, after })
})

test('a reset that lies in the past, or in the far future, is not believed', () => {
  const until = (limitedUntil: number) => decideEnd(facts({ failure: 'limit', limitedUntil })).after
  expect(until(NOW - 10)).toMatchObject({ untilMs: NOW + 5_000 })
  expect(until(NOW + 1e12)).toMatchObject({ untilMs: NOW + 8 * 86_400_000 })
})

test('every rule is shown by a row', () => {
  expect(new Set(rows.map(([, , rule]) => rule))).toEqual(new Set(recoveryRules.map(({ name }) => name)))
})

test('an ordered end names who ordered it', () => {
  expect(decideEnd(facts({ stop })).evidence).toContainEqual({ source: 'person', fact: 'ended by ada' })
  const byUs = { ...stop, kind: 'timeout', by: 'holdfast' } as const
  expect(decideEnd(facts({ stop: byUs })).evidence).toContainEqual({
    source: 'store',
    fact: 'ended by holdfast',
  })
})

test('a failure is told in its own words, cut to a line', () => {
  expect(decideEnd(facts({ result: no })).reason).toBe('broken')
  expect(decideEnd(facts({ result: { ok: false, text: '' } })).reason).toBe('the agent reported a failure')
})

test('backoff doubles from its base up to its cap, and jitter only shortens it', () => {
  const wait = (retries: number, jitter = 0) => backoff({ retries, terms, jitter })
  expect([0, 1, 2, 3, 8, 100].map((retries) => wait(retries))).toEqual([
    0, 5_000, 10_000, 20_000, 600_000, 600_000,
  ])
  expect(wait(2, 1)).toBe(7_500)
})
