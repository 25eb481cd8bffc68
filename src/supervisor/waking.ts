// Owns who of those that wait goes on now: whose time has come, who tries a gate first, and who follows. Pure.
import type { TaskId } from '../domain/ids.ts'
import { isQuiet } from '../domain/quiet-hours.ts'
import type { TaskSummary } from '../domain/task.ts'
import type { Gate } from '../ports/store-changes.ts'
import { gateKey } from './gates.ts'

export type Waiter = Pick<TaskSummary, 'id' | 'phase' | 'phaseUntil' | 'gate' | 'account'>

/** How the canary of a gate gets on. */
export type Canary = 'trying' | 'gets_on' | 'gone'

export type WakeFacts = {
  readonly now: number
  /** Minutes since local midnight, for quiet hours. */
  readonly minuteOfDay: number
  readonly quietHours: string | null
  /** No backoff is longer: one that seems to be means that the clock was set back. */
  readonly longestBackoffMs: number
  /** Backing off or parked. */
  readonly waiting: readonly Waiter[]
  /** Not started, in their order. */
  readonly queued: readonly Waiter[]
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
  const free = facts.waiting.filter(({ gate }) => gate === null || !closed.has(gate))
  return {
    go: [
      ...judged.flatMap(({ go }) => go ?? []),
      ...free.filter((task) => task.gate === null && isDue(task, facts, quiet)).map(timeCame),
    ],
    follow: free.flatMap(({ id, gate }) => (gate === null ? [] : id)),
    open: [...opened],
    change: judged.flatMap(({ change }) => change ?? []),
  }
}

const timeCame = ({ id, phase }: Waiter) => ({
  id,
  why: phase === 'parked' ? 'its limit should be over' : 'its pause is over',
})

/** Parked ones keep quiet hours. */
const isDue = ({ phase, phaseUntil }: Waiter, { now, longestBackoffMs }: WakeFacts, quiet: boolean) =>
  (phaseUntil === null ||
    phaseUntil <= now ||
    (phase === 'backing_off' && phaseUntil - now > longestBackoffMs)) &&
  !(quiet && phase === 'parked')

type Judged = { readonly go?: WakePlan['go']; readonly open?: string; readonly change?: Gate }

function judge(gate: Gate, facts: WakeFacts, quiet: boolean): Judged {
  const behind = membersOf(gate, facts)
  if (gate.canary !== null) {
    const canary = facts.canary(gate.canary)
    if (canary === 'trying') return {}
    if (canary === 'gets_on') return { open: gate.key }
    return { change: { ...gate, canary: null } }
  }
  if (behind.length === 0) return { open: gate.key }
  if (isShut(gate, facts) || quiet) return {}
  const [first] = behind
  const change = { ...gate, canary: first!.id }
  return first!.phase === 'queued'
    ? { change }
    : { change, go: [{ id: first!.id, why: `it tries first whether it is over: ${gate.reason}` }] }
}

/** A limit names its own time; all else is a backoff of ours, and too long when the clock was set back. */
const isShut = ({ kind, until }: Gate, { now, longestBackoffMs }: WakeFacts) =>
  until > now && (kind === 'limit' || until - now <= longestBackoffMs)

/** Who waits behind it already goes before who has not begun. */
export function membersOf(
  { key, kind }: Gate,
  { waiting, queued }: Pick<WakeFacts, 'waiting' | 'queued'>,
): Waiter[] {
  return [
    ...waiting.filter(({ gate }) => gate === key),
    ...queued.filter(({ account }) => gateKey(kind, account) === key),
  ]
}

/** When to look again; null when nothing waits for a time. */
export function nextWake({
  waiting,
  gates,
  now,
}: Pick<WakeFacts, 'waiting' | 'gates' | 'now'>): number | null {
  const times = [
    ...waiting.flatMap(({ gate, phaseUntil }) => (gate === null && phaseUntil !== null ? phaseUntil : [])),
    ...gates.flatMap(({ canary, until }) => (canary === null ? until : [])),
  ].filter((at) => at > now)
  return times.length === 0 ? null : Math.min(...times)
}
