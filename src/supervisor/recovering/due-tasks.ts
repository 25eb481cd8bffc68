// Owns who of those that wait goes on now: whose time has come, who tries a gate first, and who follows. Pure.
import type { TaskId } from '../../domain/names/ids.ts'
import { gateOf, type QueuedState, type TimedState } from '../../domain/task/state.ts'
import type { TaskFacts } from '../../domain/task/task.ts'
import { isQuiet } from '../../domain/text/quiet-hours.ts'
import type { Gate } from '../../ports/store-changes.ts'
import { gateKey, pauseAfter, triedInVain } from './gates.ts'

type Named = Pick<TaskFacts, 'id' | 'account'>
/** Backing off or parked. */
export type Waiter = Named & TimedState
/** Not started, perhaps behind a gate. */
export type Queued = Named & Pick<QueuedState, 'phase'>

/** How the canary of a gate gets on. `gone`: it tries no more, and has shown nothing. */
export type Canary = 'trying' | 'gets_on' | 'failed' | 'gone'

export type WakeFacts = {
  readonly now: number
  /** Minutes since local midnight, for quiet hours. */
  readonly minuteOfDay: number
  readonly quietHours: string | null
  readonly shortestBackoffMs: number
  /** No backoff is longer: one that seems to be means that the clock was set back. */
  readonly longestBackoffMs: number
  readonly waiting: readonly Waiter[]
  /** In the order of their launch. */
  readonly queued: readonly Queued[]
  readonly gates: readonly Gate[]
  readonly canary: (id: TaskId) => Canary
}

export type WakePlan = {
  /** These go on now, each with its reason. */
  readonly go: readonly { readonly id: TaskId; readonly why: string }[]
  /** These go on one after the other. */
  readonly follow: readonly TaskId[]
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
  why: phase === 'parked' ? 'its limit should be over' : 'its pause is over',
})

/** Parked ones keep quiet hours. */
const isDue = ({ phase, until }: Waiter, { now, longestBackoffMs }: WakeFacts, quiet: boolean) =>
  (until <= now || (phase === 'backing_off' && until - now > longestBackoffMs)) &&
  !(quiet && phase === 'parked')

type Judged = { readonly go?: WakePlan['go']; readonly open?: string; readonly change?: Gate }

function judge(gate: Gate, facts: WakeFacts, quiet: boolean): Judged {
  const canary = gate.canary === null ? 'gone' : facts.canary(gate.canary)
  if (canary === 'trying') return {}
  if (canary === 'gets_on') return { open: gate.key }
  const free =
    canary === 'failed' && gate.canary !== null
      ? afterFailure(gate, gate.canary, facts)
      : { ...gate, canary: null }
  const [first] = membersOf(free, facts)
  if (first === undefined) return { open: gate.key }
  if ((isShut(free, facts) && !mayTryNow(first, free)) || quiet)
    return gate.canary === null ? {} : { change: free }
  const change = { ...free, canary: first.id }
  return first.phase === 'queued'
    ? { change }
    : { change, go: [{ id: first.id, why: `it tries first, to see whether this is over: ${gate.reason}` }] }
}

/** It died of something else, and comes back by itself. */
function afterFailure(
  gate: Gate,
  canary: TaskId,
  { now, shortestBackoffMs, longestBackoffMs }: WakeFacts,
): Gate {
  const pause = pauseAfter(gate.tries + 1, shortestBackoffMs, longestBackoffMs)
  return triedInVain(gate, canary, now + pause)
}

/** A limit names its own time; all else is a backoff of ours, and too long when the clock was set back. */
const isShut = ({ kind, until }: Gate, { now, longestBackoffMs }: WakeFacts) =>
  until > now && (kind === 'limit' || until - now <= longestBackoffMs)

/** One task's word on the machine or the network holds nobody else: they go one at a time, until a second one says the same. */
const mayTryNow = ({ id }: Named, { kind, failed }: Gate) =>
  kind === 'environment' && failed.length === 1 && failed.every((one) => one.id !== id)

/** Who waits behind it already goes before who has not begun, and who tried in vain after all of them. Of all but a limit one failure is enough. */
export function membersOf(
  { key, kind, failed }: Gate,
  { waiting, queued }: Pick<WakeFacts, 'waiting' | 'queued'>,
): (Waiter | Queued)[] {
  const behind = failed.filter(({ asCanary }) => asCanary > 0 || kind !== 'limit')
  const lastFailed = ({ id }: Named) => behind.findIndex((one) => one.id === id)
  return [
    ...waiting.filter((task) => gateOf(task) === key),
    ...queued.filter(({ account }) => gateKey(kind, account) === key),
  ].sort((a, b) => lastFailed(a) - lastFailed(b))
}

/** When to look again; null when nothing waits for a time. */
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
