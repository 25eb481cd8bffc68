import { isHoldfastError } from '../../../domain/errors.ts'
import type { DiskJson, ReadyJson } from '../../../protocol/json/daemon-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { agentFindings } from '../../doctor/agent-findings.ts'
import { channelFindings } from '../../doctor/channel-findings.ts'
import { type Finding, homeFindings, programFindings } from '../../doctor/diagnose.ts'
import { journalFindings } from '../../doctor/journal-findings.ts'
import { projectFindings } from '../../doctor/project-findings.ts'
import { type ServiceStatus, serviceStatus } from '../../doctor/service-status.ts'
import { oneLine } from '../../render/print/cells.ts'
import { runningHealth, runningReadiness } from '../../starting/running-health.ts'
import { isPerson } from '../../wire/caller.ts'

const marks = { ok: ['green', 'ok  '], warn: ['yellow', 'warn'], fail: ['red', 'FAIL'] } as const

/** Checks everything, and starts nothing. */
export async function doctor(_input: InputOf<'doctor'>, context: Context): Promise<number> {
  const findings = [
    ...(await programFindings(context.env)),
    ...(await projectFindings(context.env, context.path())),
    ...(await agentFindings(context.env, context.path())),
    ...homeFindings(context.home),
    ...(await daemonFindings(context)),
    ...(await channelFindings(context)),
    serviceFinding(await serviceStatus(context)),
  ]
  const ok = findings.every(({ state }) => state !== 'fail')
  context.show({ ok, checks: findings }, () => findings.flatMap((finding) => lines(finding, context)))
  return ok ? 0 : 1
}

function lines({ name, state, detail, fix }: Finding, { paint }: Context): string[] {
  const [colour, mark] = marks[state]
  const line = `${paint(colour, mark)}  ${name.padEnd(8)}  ${oneLine(detail)}`
  return fix === null ? [line] : [line, `      ${''.padEnd(8)}  Try: ${fix}`]
}

const notRunning = (person: boolean): Finding =>
  person
    ? { name: 'daemon', state: 'ok', detail: 'not running; any command starts it', fix: null }
    : {
        name: 'daemon',
        state: 'warn',
        detail: 'not running, and a run may not start it',
        fix: 'a person has to start it with `holdfast up`, outside the agent',
      }

async function daemonFindings(context: Context): Promise<Finding[]> {
  try {
    const health = await runningHealth(context)
    if (health === undefined) return [notRunning(isPerson(context.env))]
    const { pid, version, tmux, tmux_outage, store, disk, journal } = health
    return [
      { name: 'daemon', state: 'ok', detail: `pid ${pid}, version ${version}`, fix: null },
      storeFinding(store, await runningReadiness(context)),
      ...diskFindings(disk),
      ...journalFindings(journal),
      tmux === 'up' || tmux === 'down'
        ? { name: 'server', state: 'ok', detail: `tmux server is ${tmux}`, fix: null }
        : {
            name: 'server',
            state: 'fail',
            detail: tmux_outage?.why ?? `tmux server: ${tmux}`,
            fix: 'run `holdfast up`: it tries to start tmux now, and says what else you can do',
          },
    ]
  } catch (error) {
    if (!isHoldfastError(error)) throw error
    // Already reported as `private`, with the way to fix it.
    if (error.code === 'HOME_UNSAFE') return []
    return [
      {
        name: 'daemon',
        state: 'fail',
        detail: error.message,
        fix: 'check the daemon process, or kill it and run `holdfast up`',
      },
    ]
  }
}

/** Health only reads: whether the store can be written too is known by readiness. Undefined: of an earlier version. */
function storeFinding(store: string, ready: ReadyJson | undefined): Finding {
  const trouble = ready?.checks.find(({ name, ok }) => name === 'store' && !ok)
  return trouble === undefined
    ? { name: 'store', state: 'ok', detail: store, fix: null }
    : {
        name: 'store',
        state: 'fail',
        detail: `${store} cannot be written: ${trouble.what}`,
        fix: 'see whether another program holds the database, its disk is full, or it is read-only',
      }
}

/** `disk` is undefined when the daemon has an earlier version. */
function diskFindings(disk: DiskJson | undefined): Finding[] {
  if (disk === undefined) return []
  const fix = disk.too_much ? '`holdfast prune --older-than 30d`, or raise disk.totalWarn' : null
  return [{ name: 'sessions', state: disk.too_much ? 'warn' : 'ok', detail: disk.what, fix }]
}

function serviceFinding({ installed, kind, todo }: ServiceStatus): Finding {
  const name = 'service'
  if (installed === 'absent')
    return { name, state: 'ok', detail: 'not installed; the daemon starts with the first command', fix: null }
  const [fix] = todo
  return fix === undefined
    ? { name, state: 'ok', detail: `${kind}: installed`, fix: null }
    : { name, state: 'warn', detail: `${kind}: installed, but something is left to do`, fix }
}
