// Owns the gates: which one a task waits behind, and until when it stays closed. Pure but for the look at what is stored.
import type { TaskId } from '../../domain/names/ids.ts'
import { recoveryTerms } from '../../domain/settings/recovery-terms.ts'
import type { Task, TaskSummary } from '../../domain/task/task.ts'
import type { GateReads, Reads } from '../../ports/store.ts'
import type { Gate } from '../../ports/store-changes.ts'
import type { Core } from '../task/core.ts'
import type { After } from './decide-end.ts'

type Park = After & { readonly kind: 'park' }

/** Limits and breakers hold an account, the environment holds everybody. */
export const gateKey = (kind: Gate['kind'], account: string | null) =>
  kind === 'environment' ? kind : `${kind}:${account ?? 'unknown'}`

/** Undefined: it waits for itself alone. */
export async function gateFor(
  { gate: kind, untilMs }: Park,
  task: Task,
  reason: string,
  at: number,
  core: Pick<Core, 'config'> & Reads<GateReads>,
): Promise<Gate | undefined> {
  if (kind === null) return undefined
  const key = gateKey(kind, task.account)
  const before = (await core.store.gates()).find((gate) => gate.key === key)
  const closed = { ...(before ?? { key, kind, since: at, tries: 0, canary: null, failed: [] }), reason }
  const { backoffBaseMs, backoffCapMs } = task.snapshot.recovery ?? recoveryTerms(core.config)
  const pause = (tries: number) => (tries === 0 ? 0 : pauseAfter(tries, backoffBaseMs, backoffCapMs))
  // Who tried heard the newest word: a limit may end earlier than was said before.
  if (closed.canary === task.id)
    return triedInVain(closed, task.id, Math.max(untilMs, at + pause(closed.tries + 1)))
  const until = Math.max(untilMs, before?.until ?? 0, at + pause(closed.tries))
  return { ...closed, until, failed: toTheBack(closed.failed, task.id, 0) }
}

/** Twice as long for every try in vain. */
export const pauseAfter = (tries: number, baseMs: number, capMs: number) =>
  Math.min(capMs, baseMs * 2 ** Math.min(tries, 30))

/** Its canary failed: it goes to the back, and the gate stays closed. */
export const triedInVain = (gate: Omit<Gate, 'until'>, id: TaskId, until: number): Gate => ({
  ...gate,
  until,
  tries: gate.tries + 1,
  canary: null,
  failed: toTheBack(gate.failed, id, 1),
})

const toTheBack = (failed: Gate['failed'], id: TaskId, once: 0 | 1) => [
  ...failed.filter((one) => one.id !== id),
  { id, asCanary: failuresBefore(failed, id) + once },
]

/** As canary. */
export const failuresBefore = (failed: Gate['failed'], id: TaskId) =>
  failed.find((one) => one.id === id)?.asCanary ?? 0

/** What may not start because of them; their canaries may. */
export function heldBack(gates: readonly Gate[]): (task: Pick<TaskSummary, 'id' | 'account'>) => boolean {
  const closed = new Map(gates.map((gate) => [gate.key, gate]))
  const holds = (key: string, id: TaskId) => {
    const gate = closed.get(key)
    return gate !== undefined && gate.canary !== id
  }
  return ({ id, account }) =>
    (['limit', 'breaker', 'environment'] as const).some((kind) => holds(gateKey(kind, account), id))
}
