// Owns the gates: which one a task waits behind, and until when it stays closed. Pure but for the look at what is stored.
import type { TaskId } from '../domain/ids.ts'
import { recoveryTerms } from '../domain/recovery-terms.ts'
import type { Task, TaskSummary } from '../domain/task.ts'
import type { Gate } from '../ports/store-changes.ts'
import type { Core } from './core.ts'
import type { After } from './recovery.ts'

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
  core: Core,
): Promise<Gate | undefined> {
  if (kind === null) return undefined
  const key = gateKey(kind, task.account)
  const before = (await core.store.gates()).find((gate) => gate.key === key)
  const hasTried = before !== undefined && before.canary === task.id
  const tries = (before?.tries ?? 0) + (hasTried ? 1 : 0)
  // Who tried heard the newest word: a limit may end earlier than was said before.
  const saidBefore = hasTried ? 0 : (before?.until ?? 0)
  const { backoffBaseMs, backoffCapMs } = task.snapshot.recovery ?? recoveryTerms(core.config)
  const longer = at + Math.min(backoffCapMs, backoffBaseMs * 2 ** Math.min(tries, 30))
  return {
    key,
    kind,
    reason,
    since: before?.since ?? at,
    until: Math.max(untilMs, saidBefore, tries > 0 ? longer : 0),
    tries,
    canary: null,
  }
}

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
