// Owns the commands for the daemon as a service of the user's system.
import { setTimeout as sleep } from 'node:timers/promises'
import { HoldfastError } from '../../../domain/errors.ts'
import {
  refuseForeignFile,
  removeServiceFile,
  type ServiceFile,
  serviceFileState,
  writeServiceFile,
} from '../../../system/service/service-file.ts'
import { systemctl, unitState } from '../../../system/service/systemd.ts'
import { UNIT } from '../../../system/service/unit.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { isUnderService, type ServiceStatus, serviceStatus } from '../../doctor/service-status.ts'
import { fields } from '../../render/print/fields.ts'
import { ownService } from '../../starting/own-service.ts'
import { runningHealth } from '../../starting/running-health.ts'
import { stopDaemon } from '../../starting/stop-daemon.ts'
import { isPerson } from '../../wire/caller.ts'

const UP_WITHIN_MS = 15_000
const LOOK_EVERY_MS = 100

/** Running it twice has the same effect as once. */
export async function installService(_input: InputOf<'service install'>, context: Context): Promise<number> {
  personOnly(context)
  const service = ownService(context)
  const changed = await writeServiceFile(service)
  const did = [`${changed ? 'Wrote' : 'Already there:'} ${service.path}`]
  if (service.kind === 'launchd') did.push(`Load it with: launchctl bootstrap gui/$(id -u) '${service.path}'`)
  else if ((await unitState(context.env)) !== undefined) did.push(...(await activate(changed, context)))
  return report(did, await serviceStatus(context), context)
}

/** A daemon that runs outside the service is stopped first; agents go on. */
async function activate(changed: boolean, context: Context): Promise<string[]> {
  const { env } = context
  await systemctl(['daemon-reload'], env)
  await systemctl(['enable', UNIT], env)
  if (!changed && (await runsUnderService(context))) return [`Enabled ${UNIT}; it is running`]
  const outside = (await runsUnderService(context)) === false ? await stopDaemon(context) : undefined
  await systemctl(['restart', UNIT], env)
  await untilUnderService(context)
  const moved = outside === undefined ? '' : `; it took over from the daemon with pid ${outside.pid}`
  return [`Enabled and started ${UNIT}${moved}`]
}

/** Whether the running daemon is that of the service; null when no daemon runs. */
async function runsUnderService(context: Context): Promise<boolean | null> {
  const health = await runningHealth(context)
  return isUnderService(await unitState(context.env), health?.pid ?? null)
}

async function untilUnderService(context: Context): Promise<void> {
  const deadline = performance.now() + UP_WITHIN_MS
  while (!(await runsUnderService(context))) {
    if (performance.now() > deadline)
      throw new HoldfastError('SERVICE_FAILED', `${UNIT} was started, but its daemon does not answer.`)
    await sleep(LOOK_EVERY_MS)
  }
}

export async function uninstallService(
  _input: InputOf<'service uninstall'>,
  context: Context,
): Promise<number> {
  personOnly(context)
  const service = ownService(context)
  const did = serviceFileState(service) === 'absent' ? ['Not installed'] : await remove(service, context)
  context.show({ ...(await serviceStatus(context)), did }, () => did)
  return 0
}

async function remove(service: ServiceFile, { env }: Context): Promise<string[]> {
  refuseForeignFile(service)
  const answers = service.kind === 'systemd' && (await unitState(env)) !== undefined
  if (answers) await systemctl(['disable', '--now', UNIT], env)
  removeServiceFile(service)
  if (answers) await systemctl(['daemon-reload'], env)
  const stopped = answers ? [`Stopped and disabled ${UNIT}; running agents go on`] : []
  return [...stopped, `Removed ${service.path}`]
}

export async function statusOfService(_input: InputOf<'service status'>, context: Context): Promise<number> {
  return report([], await serviceStatus(context), context)
}

function report(did: readonly string[], status: ServiceStatus, { show }: Context): number {
  show({ ...status, did }, () => [...did, ...statusLines(status)])
  return 0
}

const installedTexts = {
  absent: 'no',
  current: 'yes',
  outdated: 'yes, but outdated',
  other_home: 'for another home',
  foreign: 'no: the file was not made by Holdfast',
}

function statusLines(status: ServiceStatus): string[] {
  const { kind, file, installed, daemon_pid, under_service, todo } = status
  const where = {
    true: 'under the service',
    false: 'outside the service',
    null: 'unknown whether under the service',
  }
  return [
    ...fields([
      ['Service', `${kind}, ${file}`],
      ['Installed', installedTexts[installed]],
      ['Enabled', yesNo(status.enabled)],
      ['Active', yesNo(status.active)],
      ['Linger', yesNo(status.linger)],
      ['Daemon', daemon_pid === null ? 'not running' : `pid ${daemon_pid}, ${where[`${under_service}`]}`],
    ]),
    ...todo.map((line) => `Try: ${line}`),
  ]
}
const yesNo = (fact: boolean | null) => (fact === null ? 'unknown' : fact ? 'yes' : 'no')

function personOnly({ env }: Context): void {
  if (!isPerson(env)) throw new HoldfastError('NOT_ALLOWED_FOR_RUN', 'A run may not change the service.')
}
