import { isHoldfastError } from '../../domain/errors.ts'
import type { HealthJson, ReadyJson } from '../../protocol/json/daemon-json.ts'
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

/** Undefined when the daemon has an earlier version, which does not know. */
export async function runningReadiness(
  context: Pick<Context, 'runningDaemon'>,
): Promise<ReadyJson | undefined> {
  try {
    return await context.runningDaemon().call('GET /api/ready')
  } catch (error) {
    if (isHoldfastError(error, 'INVALID_REQUEST')) return undefined
    throw error
  }
}
