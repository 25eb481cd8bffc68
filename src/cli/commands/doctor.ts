import { isHoldfastError } from '../../domain/errors.ts'
import { agentFindings } from '../agent-findings.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { type Finding, homeFindings, programFindings } from '../diagnose.ts'
import { projectFindings } from '../project-findings.ts'
import { oneLine } from '../render/cells.ts'
import { runningHealth } from '../running-health.ts'
import { type ServiceStatus, serviceStatus } from '../service-status.ts'

const marks = { ok: ['green', 'ok  '], warn: ['yellow', 'warn'], fail: ['red', 'FAIL'] } as const

/** Looks at everything, starts nothing. */
export async function doctor(_input: InputOf<'doctor'>, context: Context): Promise<number> {
  const findings = [
    ...(await programFindings(context.env)),
    ...(await projectFindings(context.env, context.path())),
    ...(await agentFindings(context.env, context.path())),
    ...homeFindings(context.home),
    ...(await daemonFindings(context)),
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

async function daemonFindings(context: Context): Promise<Finding[]> {
  try {
    const health = await runningHealth(context)
    if (health === undefined)
      return [{ name: 'daemon', state: 'ok', detail: 'not running; any command starts it', fix: null }]
    const { pid, version, tmux, store } = health
    return [
      { name: 'daemon', state: 'ok', detail: `pid ${pid}, version ${version}`, fix: null },
      { name: 'store', state: 'ok', detail: store, fix: null },
      tmux === 'up' || tmux === 'down'
        ? { name: 'server', state: 'ok', detail: `tmux server is ${tmux}`, fix: null }
        : {
            name: 'server',
            state: 'fail',
            detail: `tmux server: ${tmux}`,
            fix: 'look at daemon.log; restart with `holdfast down && holdfast up`',
          },
    ]
  } catch (error) {
    if (!isHoldfastError(error)) throw error
    return [
      {
        name: 'daemon',
        state: 'fail',
        detail: error.message,
        fix: 'look at the process, or end it and run `holdfast up`',
      },
    ]
  }
}

function serviceFinding({ installed, kind, todo }: ServiceStatus): Finding {
  const name = 'service'
  if (installed === 'absent')
    return { name, state: 'ok', detail: 'not installed; the daemon starts with the first command', fix: null }
  const [fix] = todo
  return fix === undefined
    ? { name, state: 'ok', detail: `${kind}: installed`, fix: null }
    : { name, state: 'warn', detail: `${kind}: installed, but not all is well`, fix }
}
