// Owns gathering what is known about a task's next step.
import { type NextStep, nextStep } from '../domain/next-step.ts'
import { recoveryTerms } from '../domain/recovery-terms.ts'
import { iso } from '../domain/session-record.ts'
import type { Question, Task } from '../domain/task.ts'
import type { Gate } from '../ports/store-changes.ts'
import type { NextJson } from '../protocol/task-json.ts'
import type { Core } from '../supervisor/core.ts'
import { gateKey } from '../supervisor/gates.ts'
import { silenceLimitMs } from '../supervisor/life.ts'
import { reasonForPatience } from '../supervisor/open-work.ts'

type Known = { readonly open: readonly Question[]; readonly queuePosition: number | null }

export async function nextOf(task: Task, known: Known, core: Core): Promise<NextStep> {
  const mayBeHeld = task.status === 'pending' || task.phase === 'parked'
  return nextStep({
    task,
    ...known,
    mostRetries: (task.snapshot.recovery ?? recoveryTerms(core.config)).retries,
    gate: mayBeHeld ? holding(task, await core.store.gates()) : null,
    quietHours: core.config['park.quietHours'],
    life: lifeOf(task, core),
  })
}

export const nextJson = ({ what, at }: NextStep): NextJson => ({ what, at: at === null ? null : iso(at) })

/** The one that stays closed longest. */
const holding = ({ account, gate }: Task, gates: readonly Gate[]) =>
  gates.findLast(({ key, kind }) => key === gate || key === gateKey(kind, account)) ?? null

function lifeOf({ id }: Task, core: Core) {
  const watch = core.watched.get(id)
  if (watch === undefined || watch.life === null) return null
  const patience = reasonForPatience(watch.openWork)?.fact ?? null
  return { silentMs: watch.life.silentMs, limitMs: silenceLimitMs(watch, core), patience }
}
