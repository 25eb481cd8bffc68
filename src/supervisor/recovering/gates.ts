// Owns the gates: which one a task waits behind, and until when it stays closed. Only `gateFor` reads the store; the rest
// is pure.
import type { TaskId } from '../../domain/names/ids.ts'
import { termsOf } from '../../domain/settings/task-terms.ts'
import type { Task, TaskSummary } from '../../domain/task/task.ts'
import type { Gate, GateReads } from '../../ports/store/gates.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Core } from '../task/core.ts'
import type { After } from './decide-end.ts'

type Park = After & { readonly kind: 'park' }

/** Limits and breakers hold back the tasks of one account, an environment gate holds back all tasks. */
export const gateKey = (kind: Gate['kind'], account: string | null) =>
  kind === 'environment' ? kind : `${kind}:${account ?? 'unknown'}`

/** The gate as it is to be stored; undefined when the task waits for its own time alone. */
export async function gateFor(
  { gate: kind, untilMs }: Park,
  task: Task,
  reason: string,
  at: number,
  core: Pick<Core, 'ownTerms'> & Reads<GateReads>,
): Promise<Gate | undefined> {
  if (kind === null) return undefined
  const key = gateKey(kind, task.account)
  const before = (await core.store.gates()).find((gate) => gate.key === key)
  const closed = { ...(before ?? { key, kind, since: at, tries: 0, canary: null, failed: [] }), reason }
  const { backoffBaseMs, backoffCapMs } = termsOf(task, core)
  const pause = (tries: number) => (tries === 0 ? 0 : pauseAfter(tries, backoffBaseMs, backoffCapMs))
  // The canary has the newest information: a limit may end earlier than was said before.
  if (closed.canary === task.id)
    return triedInVain(closed, task.id, Math.max(untilMs, at + pause(closed.tries + 1)))
  const until = Math.max(untilMs, before?.until ?? 0, at + pause(closed.tries))
  return { ...closed, until, failed: toTheBack(closed.failed, task.id, 0) }
}

/** Ms to wait after so many failed canaries: doubles each time, up to the cap. */
export const pauseAfter = (tries: number, baseMs: number, capMs: number) =>
  Math.min(capMs, baseMs * 2 ** Math.min(tries, 30))

/** The gate after its canary failed: the gate stays closed, and the canary goes to the back of the line. */
export const triedInVain = (gate: Omit<Gate, 'until'>, id: TaskId, until: number): Gate => ({
  ...gate,
  until,
  tries: gate.tries + 1,
  canary: null,
  failed: toTheBack(gate.failed, id, 1),
})

const toTheBack = (failed: Gate['failed'], id: TaskId, failuresAsCanary: 0 | 1) => [
  ...failed.filter((one) => one.id !== id),
  { id, asCanary: failuresBefore(failed, id) + failuresAsCanary },
]

/** How often this task has failed as the canary. */
export const failuresBefore = (failed: Gate['failed'], id: TaskId) =>
  failed.find((one) => one.id === id)?.asCanary ?? 0

/** Returns a test for tasks that may not start because of these gates. A gate does not hold back its own canary. */
export function heldBack(gates: readonly Gate[]): (task: Pick<TaskSummary, 'id' | 'account'>) => boolean {
  const closed = new Map(gates.map((gate) => [gate.key, gate]))
  const holds = (key: string, id: TaskId) => {
    const gate = closed.get(key)
    return gate !== undefined && gate.canary !== id
  }
  return ({ id, account }) =>
    (['limit', 'breaker', 'environment'] as const).some((kind) => holds(gateKey(kind, account), id))
}
