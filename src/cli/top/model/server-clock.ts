// Owns the daemon's time as far as it is known here: ages are told by its clock, which may differ from ours.
import { isEnded } from '../../../domain/task/machine.ts'
import type { TaskRowJson } from '../../../protocol/json/task-json.ts'

export type ServerClock = {
  /** The daemon's clock showed `epochMs` at most a moment before `heardAt`, on our monotonic clock. */
  hear(epochMs: number, heardAt: number): void
  /** The same, from a session that goes on: its start and its age together are the present. */
  hearOf(row: TaskRowJson, heardAt: number): void
  /** Epoch ms. Before anything was heard, it is our own clock. */
  now(monotonicMs: number): number
}

export function serverClock(ownNow: () => number, monotonic: () => number): ServerClock {
  let ahead = ownNow() - monotonic()
  const hear = (epochMs: number, heardAt: number) => {
    ahead = epochMs - heardAt
  }
  return {
    hear,
    hearOf: ({ started_at, elapsed_seconds, task_status }, heardAt) => {
      if (started_at === null || isEnded(task_status)) return
      const told = Date.parse(started_at) + elapsed_seconds * 1000
      // Both are whole seconds: only what is further off than that tells more than is known.
      if (Math.abs(told - (heardAt + ahead)) > TOLD_WITHIN_MS) hear(told, heardAt)
    },
    now: (monotonicMs) => monotonicMs + ahead,
  }
}

const TOLD_WITHIN_MS = 2_000
