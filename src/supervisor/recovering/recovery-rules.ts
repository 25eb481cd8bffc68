// Owns what follows the end of a run: a pure table, read from top to bottom. docs/recovery.md shows it.
import { finishedBy } from '../../delivery/inputs/finish-order.ts'
import type { RestartOrder } from '../../domain/task/go-on.ts'
import type { After, EndFacts } from './decide-end.ts'
import { inOtherMode } from './go-on-after.ts'
import { type Described, type LastRule, type Rule, when, whenFound, whyFailed } from './rule-forms.ts'
import { goOnWithPrompt, runtimeRules } from './runtime-rules.ts'

const MINUTE = 60_000
/** A canary that failed so often is not tried again: a person is asked. */
const CANARY_FAILURES = 2
/** Some limits last a week. A time further away is taken for a mistake. */
const LONGEST_LIMIT_MS = 8 * 24 * 60 * MINUTE

const orderedGoOn = ({ goOn, mode }: RestartOrder, facts: EndFacts) =>
  goOn === null || mode === null ? goOn : inOtherMode(goOn, facts.goOn)

/** The first rule that applies decides. */
export const rules: readonly Rule[] = [
  whenFound({
    name: 'ordered_end',
    seen: 'its end was ordered: by `kill`, or because max_duration, max_cost, max_tokens or its disk space are used up',
    does: 'cancelled; for its disk space, failed',
    find: ({ stop }) => stop,
    after: ({ kind }) => ({ kind: 'end', event: kind === 'disk' ? 'failed' : 'cancelled' }),
    reason: ({ reason }) => reason,
  }),
  whenFound({
    name: 'ordered_restart',
    seen: 'it was ended so that it goes on in another way (takeover, handback, stuck, a prompt that it does not take, or its run directory was deleted)',
    does: 'goes on as ordered; one whose session never began is told its prompt in the other mode; a runtime that does not take a prompt begins a new session where resuming it is not worth while',
    find: ({ restart }) => restart,
    after: (restart, facts) => ({
      kind: 'go_on',
      goOn: orderedGoOn(restart, facts) ?? goOnWithPrompt(restart, facts) ?? facts.goOn,
      costs: restart.kind === 'stuck',
      staggered: false,
    }),
    reason: ({ reason }) => reason,
  }),
  whenFound({
    name: 'ordered_finish',
    seen: 'a person finished it, and its turn was over',
    does: 'completed; verified first where there is a contract',
    find: ({ finishBy }) => finishBy,
    after: (_, { mustVerify }) => (mustVerify ? { kind: 'verify' } : { kind: 'end', event: 'completed' }),
    reason: finishedBy,
  }),
  when({
    name: 'awaits_children',
    seen: 'the agent finished, has no terminal and no conversation, and does not know yet how sessions ended that it started',
    does: 'waits for them; when all have ended or are at rest, or one needs somebody, it goes on with the news',
    applies: ({ result, untoldChildren }) => result?.ok === true && untoldChildren > 0,
    after: ({ goOn }) => ({ kind: 'await_children', goOn: { how: goOn.how, say: null } }),
    reason: ({ untoldChildren }) =>
      `the agent ended its turn; it waits for news of ${untoldChildren === 1 ? 'a session' : `${untoldChildren} sessions`} that it started`,
  }),
  when({
    name: 'finished_unverified',
    seen: 'the agent finished, and there is a contract',
    does: 'verified first',
    applies: ({ result, mustVerify }) => result?.ok === true && mustVerify,
    after: () => ({ kind: 'verify' }),
    reason: () => 'the agent finished; its work is being verified',
  }),
  when({
    name: 'finished',
    seen: 'the agent finished and says so',
    does: 'completed',
    applies: ({ result }) => result?.ok === true,
    after: () => ({ kind: 'end', event: 'completed' }),
    reason: ({ ending }) => ending,
  }),
  whenFound({
    name: 'person',
    seen: 'a person interrupted or left it, or closed its terminal while the tmux server lives',
    does: 'asks: resume or close? Never resumed by itself',
    find: ({ byPerson }) => byPerson,
    after: (how) => ({
      kind: 'ask',
      event: 'person_stopped',
      question: `Stopped by you (${how}): resume or close?`,
      options: ['resume', 'close'],
    }),
    reason: (how) => `stopped by a person: ${how}`,
  }),
  when({
    name: 'limit_asked',
    seen: 'usage or rate limit, and parking is switched off',
    does: 'asks a person',
    applies: ({ failure, parkEnabled }) => failure === 'limit' && !parkEnabled,
    after: (facts) => ask('question_asked', `${whyFailed(facts)}. Resume when it is over, or close?`),
    reason: whyFailed,
  }),
  when({
    name: 'limit',
    seen: 'usage or rate limit',
    does: 'parked until the reset time that the agent named, or for a growing pause if it named none. If the agent itself reported the limit, all tasks of its account wait, unless another one made progress since this one last failed in the same way',
    applies: ({ failure }) => failure === 'limit',
    after: (facts) => ({
      kind: 'park',
      goOn: facts.goOn,
      gate: facts.limitIsTold && !facts.othersMakeProgress ? 'limit' : null,
      untilMs: limitEnd(facts),
    }),
    reason: whyFailed,
  }),
  when({
    name: 'permanent',
    seen: 'permanent failure: login, billing, unknown model, bad flag, missing program',
    does: 'asks a person at once; never retried by itself',
    applies: ({ failure }) => failure === 'permanent',
    after: (facts) => ask('question_asked', `${whyFailed(facts)}. Fix the cause and resume, or close?`),
    reason: whyFailed,
  }),
  whenFound({
    name: 'asked_and_left',
    seen: 'it asked something and exited, because this agent takes no answers while it runs',
    does: 'waits for your answer, and is resumed with it',
    find: ({ asks, exitedByItself, failure }) =>
      exitedByItself && (failure === null || failure === 'crash') ? asks : null,
    after: () => ({ kind: 'await_answer' }),
    reason: (asks) => asks,
  }),
  when({
    name: 'said_no',
    seen: 'the agent ended its turn and says that it failed, and names no cause that can pass by itself',
    does: 'failed: what the agent itself says counts',
    applies: ({ result, failure }) => result !== null && failure === null,
    after: () => ({ kind: 'end', event: 'failed' }),
    reason: whyFailed,
  }),
  when({
    name: 'session_refused',
    seen: 'the agent named a session id that is not valid',
    does: 'failed and escalated: stop rather than guess; a runtime begins a new session',
    applies: ({ session, runtime }) => session === 'refused' && runtime === null,
    after: () => ({ kind: 'end', event: 'failed', escalate: true }),
    reason: (facts) => `${whyFailed(facts)}; its session id is not valid, so it cannot be resumed`,
  }),
  when({
    name: 'reboot',
    seen: 'the machine was restarted while it ran',
    does: 'goes on, one task after the other, without using up a retry',
    applies: ({ outsideCause }) => outsideCause === 'reboot',
    after: ({ goOn }) => ({ kind: 'go_on', goOn, costs: false, staggered: true }),
    reason: () => 'the machine was restarted while it ran',
  }),
  when({
    name: 'terminal_gone',
    seen: 'the tmux server died, and its terminal with it; also when the agent was idle or exited normally',
    does: 'goes on in a new terminal, without using up a retry',
    applies: ({ outsideCause }) => outsideCause === 'tmux_died' || outsideCause === 'terminal_lost',
    after: ({ goOn }) => ({ kind: 'go_on', goOn, costs: false, staggered: true }),
    reason: ({ outsideCause }) =>
      outsideCause === 'tmux_died'
        ? 'the tmux server died while it ran'
        : 'its terminal went away while it ran, and tmux does not answer',
  }),
  when({
    name: 'environment',
    seen: 'the machine or the network failed, and no other task made progress since this one last failed in the same way',
    does: 'all tasks wait; one tries first, and when it makes progress, the rest follow',
    applies: ({ failure, terms, othersMakeProgress }) =>
      failure === 'environment' && terms.retries > 0 && !othersMakeProgress,
    after: (facts) => ({
      kind: 'park',
      goOn: facts.goOn,
      gate: 'environment',
      untilMs: facts.now + Math.max(facts.terms.backoffBaseMs, backoff(facts)),
    }),
    reason: whyFailed,
  }),
  ...runtimeRules,
  when({
    name: 'deadline',
    seen: 'it died after its deadline',
    does: 'failed',
    applies: ({ workedMs, terms }) => terms.deadlineMs !== null && workedMs >= terms.deadlineMs,
    after: () => ({ kind: 'end', event: 'failed' }),
    reason: (facts) => `${whyFailed(facts)}; its deadline has passed, so it is not brought back`,
  }),
  when({
    name: 'out_of_retries',
    seen: 'it died, and its retries are spent',
    does: 'failed, with its last words',
    applies: ({ retries, terms }) => retries >= terms.retries,
    after: () => ({ kind: 'end', event: 'failed' }),
    reason: (facts) =>
      facts.terms.retries === 0
        ? whyFailed(facts)
        : `${whyFailed(facts)}; brought back ${facts.retries} times without progress`,
  }),
  when({
    name: 'session_lost',
    seen: 'it could not be resumed: the agent knows no such session',
    does: 'starts over, and is told what was done',
    applies: ({ sessionIsLost }) => sessionIsLost,
    after: (facts) => comeBack(facts),
    reason: whyFailed,
  }),
  when({
    name: 'crash_loop',
    seen: 'crash loop: several deaths within a short time, without progress',
    does: 'escalated: resume, retry or close?',
    applies: ({ deaths, terms }) => deaths >= terms.loopDeaths,
    after: (facts) => ({
      kind: 'ask',
      event: 'escalated',
      question: `It died ${facts.deaths} times without progress (${whyFailed(facts)}). Resume, retry from the beginning, or close?`,
      options: ['resume', 'retry', 'close'],
    }),
    reason: (facts) => `crash loop: ${facts.deaths} deaths without progress; ${whyFailed(facts)}`,
  }),
  when({
    name: 'failed_canary',
    seen: 'it tried first for all tasks that wait behind a breaker, and failed for the second time',
    does: 'asks a person: resume, retry or close? Another task tries',
    applies: ({ failuresAsCanary }) => failuresAsCanary >= CANARY_FAILURES,
    after: (facts) => ({
      kind: 'ask',
      event: 'question_asked',
      question: `The sessions of this account wait, because several failed in the same way. This one was started to see whether that is over, and failed ${facts.failuresAsCanary} times (${whyFailed(facts)}). Resume, retry from the beginning, or close?`,
      options: ['resume', 'retry', 'close'],
    }),
    reason: (facts) =>
      `failed ${facts.failuresAsCanary} times while it tried first for the waiting tasks: ${whyFailed(facts)}`,
  }),
  when({
    name: 'breaker',
    seen: 'several tasks of its agent and account fail in the same way, and none makes progress',
    does: 'all tasks of that account wait; one tries first, then the next, and when one makes progress, the rest follow',
    applies: ({ failure, likeFailures, breakerFailures, othersMakeProgress }) =>
      failure !== null && likeFailures >= breakerFailures && !othersMakeProgress,
    after: (facts) => ({
      kind: 'park',
      goOn: facts.goOn,
      gate: 'breaker',
      untilMs: facts.now + Math.max(facts.terms.backoffBaseMs, backoff(facts)),
    }),
    reason: (facts) =>
      `${facts.likeFailures} tasks of this account failed in the same way: ${whyFailed(facts)}`,
  }),
]

/** For an end to which none of the rules above applies. */
export const lastRule: LastRule = {
  name: 'died',
  seen: 'it died',
  does:
    'resumed by its session id; without one it starts over, and is told what was done if a tool call may have begun. ' +
    'The first time at once, then with growing pauses',
  decide: (facts) => ({ after: comeBack(facts), reason: whyFailed(facts) }),
}

export const recoveryRules: readonly Described[] = [...rules, lastRule]

function comeBack(facts: EndFacts): After {
  const { goOn } = facts
  const waitMs = backoff(facts)
  return waitMs === 0
    ? { kind: 'go_on', goOn, costs: true, staggered: false }
    : { kind: 'back_off', goOn, waitMs }
}

/** Epoch ms: the time that the agent named, within bounds, because it may be past or a mistake. */
function limitEnd(facts: EndFacts): number {
  const { limitedUntil, now, terms } = facts
  if (limitedUntil === null) return now + Math.max(MINUTE, backoff(facts))
  return Math.min(Math.max(limitedUntil, now + terms.backoffBaseMs), now + LONGEST_LIMIT_MS)
}

/**
 * Ms to wait before the next retry: none before the first, then doubling up to the cap. Jitter takes up to a quarter
 * off, so that tasks that died together do not come back together.
 */
export function backoff({ retries, terms, jitter }: Pick<EndFacts, 'retries' | 'terms' | 'jitter'>): number {
  if (retries === 0) return 0
  const full = Math.min(terms.backoffCapMs, terms.backoffBaseMs * 2 ** Math.min(retries - 1, 30))
  return Math.round(full * (1 - jitter / 4))
}

const ask = (event: 'question_asked' | 'escalated', question: string): After => ({
  kind: 'ask',
  event,
  question,
  options: ['resume', 'close'],
})
