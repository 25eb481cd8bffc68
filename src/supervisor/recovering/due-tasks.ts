// Owns which waiting tasks go on now: those whose time has come, the one that tries a gate first, and those that follow. Pure.
import type { TaskId } from '../../domain/names/ids.ts'
import { gateOf, type QueuedState, type TimedState } from '../../domain/task/state.ts'
import type { TaskFacts } from '../../domain/task/task.ts'
import { isQuiet } from '../../domain/text/quiet-hours.ts'
import type { Gate } from '../../ports/store/gates.ts'
import { gateKey, pauseAfter, triedInVain } from './gates.ts'
import { type LongestPause, pausedBy } from './longest-pauses.ts'

type Named = Pick<TaskFacts, 'id' | 'account'>
/** A task that is backing off or parked. */
export type Waiter = Named & TimedState
/** A queued task, perhaps held back by a gate. */
export type Queued = Named & Pick<QueuedState, 'phase'>

/** What became of a gate's canary. `failed`: it is backing off. `gone`: there is none, or it stopped trying without proof. */
export type Canary = 'trying' | 'makes_progress' | 'failed' | 'gone'

export type WakeFacts = {
  readonly now: number
  /** Minutes since local midnight, for quiet hours. */
  readonly minuteOfDay: number
  readonly quietHours: string | null
  /** By the daemon's own settings: they decide how long a gate stays closed after its canary failed. */
  readonly shortestBackoffMs: number
  readonly longestBackoffMs: number
  /** A wait that seems longer means that the clock was set back. */
  readonly longestPauseMs: LongestPause
  readonly waiting: readonly Waiter[]
  /** In the order in which they will be launched. */
  readonly queued: readonly Queued[]
  readonly gates: readonly Gate[]
  readonly canary: (id: TaskId) => Canary
}

export type WakePlan = {
  /** Tasks that go on now, each with its reason. */
  readonly go: readonly { readonly id: TaskId; readonly why: string }[]
  /** Tasks that go on one after the other, because their gate is open. */
  readonly follow: readonly TaskId[]
  /** Keys of the gates that open. */
  readonly open: readonly string[]
  /** Gates with a new canary, or without the old one. */
  readonly change: readonly Gate[]
}

export function planWaking(facts: WakeFacts): WakePlan {
  const quiet = isQuiet(facts.quietHours, facts.minuteOfDay)
  const judged = facts.gates.map((gate) => judge(gate, facts, quiet))
  const opened = new Set(judged.flatMap(({ open }) => open ?? []))
  const closed = new Set(facts.gates.flatMap(({ key }) => (opened.has(key) ? [] : key)))
  const free = facts.waiting.filter((task) => !closed.has(gateOf(task) ?? ''))
  return {
    go: [
      ...judged.flatMap(({ go }) => go ?? []),
      ...free.filter((task) => gateOf(task) === null && isDue(task, facts, quiet)).map(timeCame),
    ],
    follow: free.flatMap((task) => (gateOf(task) === null ? [] : task.id)),
    open: [...opened],
    change: judged.flatMap(({ change }) => change ?? []),
  }
}

const timeCame = ({ id, phase }: Waiter) => ({
  id,
  why: phase === 'parked' ? 'the time for which it was parked is over' : 'its pause is over',
})

/** Parked tasks do not go on in quiet hours. */
const isDue = ({ id, phase, until }: Waiter, { now, longestPauseMs }: WakeFacts, quiet: boolean) =>
  (until <= now || (phase === 'backing_off' && until - now > longestPauseMs([id]))) &&
  !(quiet && phase === 'parked')

type Judged = { readonly go?: WakePlan['go']; readonly open?: string; readonly change?: Gate }

function judge(gate: Gate, facts: WakeFacts, quiet: boolean): Judged {
  const canary = gate.canary === null ? 'gone' : facts.canary(gate.canary)
  if (canary === 'trying') return {}
  if (canary === 'makes_progress') return { open: gate.key }
  const vacant =
    canary === 'failed' && gate.canary !== null
      ? afterFailure(gate, gate.canary, facts)
      : { ...gate, canary: null }
  const [first] = membersOf(vacant, facts)
  if (first === undefined) return { open: gate.key }
  if ((isShut(vacant, facts) && !mayTryNow(first, vacant)) || quiet)
    return gate.canary === null ? {} : { change: vacant }
  const change = { ...vacant, canary: first.id }
  return first.phase === 'queued'
    ? { change }
    : { change, go: [{ id: first.id, why: `it tries first, to see whether this is over: ${gate.reason}` }] }
}

/** For a canary that is backing off: it died of another cause than the gate's, and comes back by itself. */
function afterFailure(
  gate: Gate,
  canary: TaskId,
  { now, shortestBackoffMs, longestBackoffMs }: WakeFacts,
): Gate {
  const pause = pauseAfter(gate.tries + 1, shortestBackoffMs, longestBackoffMs)
  return triedInVain(gate, canary, now + pause)
}

/**
 * The time of a limit comes from the agent, and may be far away. Other gates wait for a backoff: a longer wait
 * means that the clock was set back.
 */
const isShut = (gate: Gate, { now, longestPauseMs }: WakeFacts) =>
  gate.until > now && (gate.kind === 'limit' || gate.until - now <= longestPauseMs(pausedBy(gate)))

/**
 * An environment gate that only one task reported does not wait: other tasks try at once, one at a time, until a
 * second one fails in the same way.
 */
const mayTryNow = ({ id }: Named, { kind, failed }: Gate) =>
  kind === 'environment' && failed.length === 1 && failed.every((one) => one.id !== id)

/**
 * The tasks that a gate holds back, in the order in which they try: parked ones, then queued ones, then those that
 * failed. For a limit only failures as the canary count, for other gates all failures.
 */
export function membersOf(
  { key, kind, failed }: Gate,
  { waiting, queued }: Pick<WakeFacts, 'waiting' | 'queued'>,
): (Waiter | Queued)[] {
  const goLast = failed.filter(({ asCanary }) => asCanary > 0 || kind !== 'limit')
  const lastFailed = ({ id }: Named) => goLast.findIndex((one) => one.id === id)
  return [
    ...waiting.filter((task) => gateOf(task) === key),
    ...queued.filter(({ account }) => gateKey(kind, account) === key),
  ].sort((a, b) => lastFailed(a) - lastFailed(b))
}

/** Epoch ms of the next look; null when nothing waits for a time. */
export function nextWake({
  waiting,
  gates,
  now,
}: Pick<WakeFacts, 'waiting' | 'gates' | 'now'>): number | null {
  const times = [
    ...waiting.flatMap((task) => (gateOf(task) === null ? task.until : [])),
    ...gates.flatMap(({ canary, until }) => (canary === null ? until : [])),
  ].filter((at) => at > now)
  return times.length === 0 ? null : Math.min(...times)
}
