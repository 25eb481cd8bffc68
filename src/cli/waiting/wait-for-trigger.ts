// Owns waiting until a trigger is so far: asked again and again, because no request is held for long.
import { errorCatalogue } from '../../domain/errors/catalogue.ts'
import { isReached } from '../../domain/trigger/aims.ts'
import type { TriggerDetailJson, TriggerGoal } from '../../protocol/json/trigger-json.ts'
import type { Context } from '../context.ts'

const PER_REQUEST_SECONDS = 20
export const DEFAULT_PATIENCE_SECONDS = 120

/** For who stops waiting: the prompt does not stop. */
export const staysText = (id: string, until: TriggerGoal) =>
  `${id} goes on without you. Wait for it again with \`holdfast trigger show ${id} --wait ${until}\`.`

/** `exit`: 0 when it is so far; 1 or 2 when it failed, or the time is up. */
export async function waitForTrigger(
  id: string,
  until: TriggerGoal,
  seconds: number | null,
  context: Pick<Context, 'daemon'>,
): Promise<{ trigger: TriggerDetailJson; exit: number }> {
  const end = seconds === null ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000
  for (;;) {
    const left = Math.max(0, Math.min(PER_REQUEST_SECONDS, Math.ceil((end - Date.now()) / 1000)))
    const query = { until, wait_seconds: String(left) }
    const trigger = await context.daemon().call('GET /api/triggers/:id', { id, query })
    const reached = isReached(trigger, until)
    if (reached === 'reached') return { trigger, exit: 0 }
    if (reached === 'over') return { trigger, exit: trigger.code === null ? 2 : exitOf(trigger.code) }
    if (Date.now() >= end) return { trigger, exit: 2 }
  }
}

const exitOf = (code: string) => (errorCatalogue as Record<string, { exit: number }>)[code]?.exit ?? 2
