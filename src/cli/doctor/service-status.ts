// Owns what `service status` and `doctor` report about the service, and what is left to do for it.
import { isHoldfastError } from '../../domain/errors.ts'
import { type ServiceFileState, serviceFileState } from '../../system/service/service-file.ts'
import { lingers, type UnitState, unitState } from '../../system/service/systemd.ts'
import type { Context } from '../context.ts'
import { ownService } from '../starting/own-service.ts'
import { runningHealth } from '../starting/running-health.ts'
import { userName } from '../wire/caller.ts'
import { holderPid } from '../wire/daemon-holder.ts'

export type ServiceStatus = {
  readonly kind: 'systemd' | 'launchd'
  readonly file: string
  readonly installed: ServiceFileState
  /** Null when it cannot be found out, because no systemd answers. */
  readonly enabled: boolean | null
  readonly active: boolean | null
  readonly linger: boolean | null
  readonly daemon_pid: number | null
  readonly under_service: boolean | null
  /** Sentences, the most important first. */
  readonly todo: readonly string[]
}

export async function serviceStatus(context: Context): Promise<ServiceStatus> {
  const service = ownService(context)
  const { kind, path: file } = service
  const installed = serviceFileState(service)
  const unit = kind === 'systemd' ? await unitState(context.env) : undefined
  const pid = await daemonPid(context)
  const facts = {
    kind,
    file,
    installed,
    enabled: unit?.enabled ?? null,
    active: unit?.active ?? null,
    linger: kind === 'systemd' ? await lingers(userName(context.env), context.env) : null,
    daemon_pid: pid,
    under_service: isUnderService(unit, pid),
  }
  return { ...facts, todo: [...todoFor(facts)] }
}

/** The unit's main process is the daemon itself. */
export const isUnderService = (unit: UnitState | undefined, pid: number | null) =>
  unit === undefined || pid === null ? null : unit.mainPid === pid

async function daemonPid(context: Context): Promise<number | null> {
  try {
    return (await runningHealth(context))?.pid ?? null
  } catch (error) {
    if (!isHoldfastError(error)) throw error
    return holderPid(context.home) ?? null
  }
}

function* todoFor(facts: Omit<ServiceStatus, 'todo'>): Generator<string> {
  const { kind, installed, enabled, active, linger, under_service: under } = facts
  if (installed === 'absent') return yield 'Install it with `holdfast service install`.'
  if (installed === 'foreign')
    return yield `${facts.file} was not made by Holdfast: move it away, or do without the service.`
  if (installed === 'other_home')
    return yield `${facts.file} is the service of another home: uninstall it there first.`
  if (installed === 'outdated')
    yield 'Node or Holdfast was moved after the installation: run `holdfast service install` again.'
  if (kind === 'launchd') return
  if (enabled === null)
    return yield 'No systemd user manager answers here, see docs/service.md; then run `holdfast service install` again.'
  if (!enabled || !active || under === false) yield 'Start it with `holdfast service install`.'
  if (linger !== true)
    yield 'Run `loginctl enable-linger`: without it the service begins with your login and ends with your last logout.'
}
