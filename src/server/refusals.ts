import type { Context } from 'hono'
import { type ErrorCode, isHoldfastError } from '../domain/errors.ts'
import { asRunId } from '../domain/ids.ts'
import type { Core } from '../supervisor/core.ts'
import { actorOf, runOf } from './caller.ts'

/** What somebody wanted and may not have is on the record as well. */
const kinds: Partial<Record<ErrorCode, string>> = {
  QUOTA_EXCEEDED: 'quota_exceeded',
  RECURSION_REFUSED: 'recursion_refused',
}

export async function auditingRefusals<T>(c: Context, core: Core, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const kind = isHoldfastError(error) ? kinds[error.code] : undefined
    if (kind !== undefined) await audit(c, core, kind, (error as Error).message)
    throw error
  }
}

/** A refused run's row belongs to its task. */
async function audit(c: Context, { store, clock }: Core, kind: string, detail: string): Promise<void> {
  const run = runOf(c)
  const taskId = run === undefined ? null : ((await store.run(asRunId(run)))?.taskId ?? null)
  await store.audit({ at: clock.now(), kind, taskId, actor: actorOf(c), detail })
}
