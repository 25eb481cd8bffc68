import { isHoldfastError } from '../../domain/errors.ts'
import type { HealthJson } from '../../protocol/json/daemon-json.ts'
import type { Context } from '../context.ts'

/** Undefined when no daemon runs. DAEMON_SILENT when one runs but does not answer. */
export async function runningHealth(
  context: Pick<Context, 'runningDaemon'>,
): Promise<HealthJson | undefined> {
  try {
    return await context.runningDaemon().call('GET /api/health')
  } catch (error) {
    if (isHoldfastError(error, 'DAEMON_UNREACHABLE')) return undefined
    throw error
  }
}
