// Owns looking for life in silent agents: a glance at each every few ticks, a closer look at those that stay silent.

import { type Statusline, statuslineOf } from '../../domain/run/statusline.ts'
import { termsOf } from '../../domain/settings/task-terms.ts'
import type { Evidence } from '../../domain/task/evidence.ts'
import type { Phase } from '../../domain/task/machine.ts'
import type { Core, Watch } from '../task/core.ts'
import { reasonForPatience } from '../task/open-work.ts'
import { type Judged, judge, type Life, type Sight, signsOfNone } from '../task/proof-of-life.ts'
import type { WatchingNeeds } from './needs.ts'

export type StuckFinding = {
  readonly watch: Watch
  readonly evidence: readonly Evidence[]
  readonly silentMs: number
}

/** To read CPU times, all processes are walked through: this is done so seldom, and for all silent agents at once. */
const CLOSELY_EVERY_MS = 120_000
/** Ticks from one look for life to the next. Silence means something only after minutes. */
export const TICKS_PER_LIFE = 3
/** A longer gap was a pause of the daemon or the machine: nobody knows what the agent did in it. */
const LONGEST_GAP_TICKS = 2 * TICKS_PER_LIFE

type Glance = { readonly watch: Watch; readonly judged: Judged }
type CloseSight = Pick<Sight, 'clock' | 'cpuMs'>

/** One call at a time. The silence is remembered in `watch.life`, so a new daemon counts from zero. */
export async function lookForLife(core: WatchingNeeds, watches: Iterable<Watch>): Promise<StuckFinding[]> {
  const glances = [...watches].flatMap((watch) => glanceAt(watch, core) ?? [])
  const closer = await lookCloser(dueOf(glances, core), core)
  return glances.flatMap(({ watch, judged }) => {
    // The task may have changed while we looked.
    if (!isCounted(watch, core)) return []
    const close = closer.get(watch)
    const { verdict, life } = close === undefined ? judged : judgeNow(watch, core, close)
    watch.life = life
    return verdict === 'stuck' && watch.task.phase !== 'stuck' ? [findingOf(watch, life)] : []
  })
}

/** How long the agent may be silent: longer while it may be waiting for a tool or its model. */
export function silenceLimitMs(watch: Watch, core: Pick<Core, 'ownTerms'>): number {
  const { afterMs, quietMs } = patienceWith(watch, core)
  return reasonForPatience(watch.openWork) === undefined ? afterMs : Math.max(afterMs, quietMs)
}

function patienceWith({ task }: Watch, core: Pick<Core, 'ownTerms'>) {
  const { stuckAfterMs, stuckQuietMs } = termsOf(task, core)
  return { afterMs: stuckAfterMs, quietMs: stuckQuietMs }
}

function glanceAt(
  watch: Watch,
  core: Pick<Core, 'clock' | 'config' | 'ownTerms' | 'runFiles' | 'terminal' | 'watched'>,
): Glance | undefined {
  if (!isCounted(watch, core)) {
    watch.life = null
    return undefined
  }
  return { watch, judged: judgeNow(watch, core) }
}

/** Silence does not count while the agent waits for a person, a limit or its end, nor while its terminal cannot be seen. */
function isCounted(watch: Watch, core: Pick<Core, 'terminal' | 'watched'>): boolean {
  const { task, run, ending } = watch
  const isAtWork = task.status === 'running' && AT_WORK.has(task.phase) && run.state === 'live'
  const isEnding =
    ending || task.stop !== null || task.restart !== null || core.watched.get(task.id) !== watch
  return isAtWork && !isEnding && (task.mode === 'headless' || core.terminal.health() === 'up')
}
const AT_WORK: ReadonlySet<Phase | null> = new Set(['starting', 'working', 'stuck'])

const NOT_LOOKED: CloseSight = { clock: null, cpuMs: null }

function judgeNow(
  watch: Watch,
  core: Pick<Core, 'clock' | 'config' | 'ownTerms' | 'runFiles'>,
  close = NOT_LOOKED,
): Judged {
  const written = core.runFiles.written(watch.run.id)
  const seen: Sight = { written, beats: watch.beats, drawnAt: watch.screen?.activeAt ?? null, ...close }
  return judge(watch.life, seen, {
    mono: core.clock.monotonic(),
    longestGapMs: LONGEST_GAP_TICKS * core.config['reconcile.interval'],
    limitMs: silenceLimitMs(watch, core),
  })
}

/**
 * When one agent is due, all that are at least half due are included: so the processes are walked
 * through at most every half period.
 */
function dueOf(glances: readonly Glance[], core: Pick<Core, 'ownTerms'>): Watch[] {
  const isDue = (part: number) => (glance: Glance) => {
    const { silentMs, closelyMs } = glance.judged.life
    const limitMs = silenceLimitMs(glance.watch, core)
    const everyMs = Math.min(CLOSELY_EVERY_MS, patienceWith(glance.watch, core).afterMs / 2)
    return silentMs - closelyMs >= everyMs * part || (silentMs >= limitMs && closelyMs < limitMs)
  }
  return glances.some(isDue(1)) ? glances.filter(isDue(0.5)).map(({ watch }) => watch) : []
}

async function lookCloser(
  watches: readonly Watch[],
  core: Pick<Core, 'processes' | 'terminal'>,
): Promise<Map<Watch, CloseSight>> {
  if (watches.length === 0) return new Map()
  const cpuMs = await core.processes.cpuMs(watches.map(({ run }) => run.id))
  const sights = new Map<Watch, CloseSight>()
  for (const watch of watches) {
    const clock = (await statuslineOn(watch, core))?.clock ?? null
    sights.set(watch, { clock, cpuMs: cpuMs.get(watch.run.id) ?? null })
  }
  return sights
}

/** Undefined when the screen shows no statusline, or the terminal does not answer. */
export async function statuslineOn(
  { task, run }: Watch,
  { terminal }: Pick<Core, 'terminal'>,
): Promise<Statusline | undefined> {
  if (task.mode !== 'interactive' || terminal.health() !== 'up') return undefined
  const screen = await terminal.readScreen(task.id, run.id).catch(() => undefined)
  return statuslineOf(screen ?? '')
}

function findingOf(watch: Watch, life: Life): StuckFinding {
  const patience = reasonForPatience(watch.openWork)
  const evidence = [...signsOfNone(life), ...(patience === undefined ? [] : [patience])]
  return { watch, evidence, silentMs: life.silentMs }
}
