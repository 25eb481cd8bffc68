import { constants } from 'node:os'
import { join } from 'node:path'
import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import { type Blow, blows } from '../../../drill/blows.ts'
import { type BlowJson, reportOf } from '../../../drill/report.ts'
import { clearAbandoned, clearRoot, makeRoot } from '../../../drill/root.ts'
import { makeScratch } from '../../../drill/scratch.ts'
import { strike } from '../../../drill/strike.ts'
import type { DrillAgent } from '../../../drill/work.ts'
import { killProcessesBelow } from '../../../system/processes/processes-below.ts'
import { loadConfig, userConfigDir } from '../../../system/settings/load-config.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { onInterrupt } from '../../interrupt.ts'
import { drillLines } from '../../render/text/drill-text.ts'
import { isPerson } from '../../wire/caller.ts'

/** Strikes one task after the other, each in a home of its own, and prints what happened to them. */
export async function drill({ options }: InputOf<'drill'>, context: Context): Promise<number> {
  if (!isPerson(context.env)) throw new HoldfastError('NOT_ALLOWED_FOR_RUN', 'A run may not start a drill.')
  const { agent = 'scripted', only, keep } = options
  const chosen = chosenFrom(only)
  clearAbandoned()
  const root = makeRoot()
  const leave = () => clearRoot(root, keep)
  leaveOnSignals(leave)
  try {
    const rows = await strikeAll(chosen, agent, root, context)
    const report = reportOf(agent, rows, keep ? root : null)
    context.show(report, () => drillLines(report, context.paint, context.width()))
    return report.ok ? 0 : 2
  } finally {
    leave()
  }
}

function chosenFrom(only: string | undefined): readonly Blow[] {
  if (only === undefined) return blows
  const names = only.split(',').map((name) => name.trim())
  const known = blows.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new HoldfastError(
      'USAGE',
      `--only: there is no blow '${printable(unknown)}'; choose from ${known.join(', ')}.`,
    )
  return blows.filter(({ name }) => names.includes(name))
}

async function strikeAll(
  chosen: readonly Blow[],
  agent: DrillAgent,
  root: string,
  { env, say }: Context,
): Promise<BlowJson[]> {
  const { config } = await loadConfig(userConfigDir(env), undefined)
  const rows: BlowJson[] = []
  for (const [index, blow] of chosen.entries()) {
    const { name, about } = blow
    say(`[${index + 1}/${chosen.length}] ${name}: ${about} …`)
    rows.push(
      needsScriptedModel(blow, agent) && env.HOLDFAST_DRILL_MODEL !== 'scripted'
        ? skipped(blow)
        : await strike(blow, agent, makeScratch(join(root, name), env, config)),
    )
    killProcessesBelow(join(root, name))
  }
  return rows
}

const needsScriptedModel = ({ trouble }: Blow, agent: DrillAgent) =>
  trouble !== undefined && agent !== 'scripted'

const skipped = ({ name, about }: Blow): BlowJson => ({
  name,
  about,
  verdict: 'skipped',
  detect_ms: null,
  resume_ms: null,
  lost: [],
  why: 'a real model cannot be made to fail on demand; only the scripted agent can',
})

/** Clears up also when a signal ends the drill. */
function leaveOnSignals(leave: () => void): void {
  onInterrupt(leave)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      leave()
      process.exit(128 + constants.signals[signal])
    })
}
