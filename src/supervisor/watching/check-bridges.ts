// Owns whether the tools that a run was given reached its agent: the tools say so themselves; their silence is told, too.
import { isWithoutTools } from '../../domain/run/bridge-note.ts'
import type { Core, Watch } from '../task/core.ts'

type Needs = Pick<Core, 'clock' | 'commit' | 'log' | 'runFiles' | 'watched'>

/** Called by the tick. Of each run the note on disk is read once. */
export async function checkBridges(core: Needs): Promise<void> {
  for (const watch of [...core.watched.values()]) {
    const livedMs = core.clock.monotonic() - watch.sinceMono
    if (isWithoutTools(watch.run, livedMs) && bridgeOf(watch, core) === 'unknown')
      await noteBridge(watch, 'absent', core)
  }
}

/** Tells what is new, and once. Nothing is told of a run that was given no tools. */
export async function noteBridge(
  watch: Watch,
  note: 'up' | 'absent',
  { clock, commit, log, runFiles }: Omit<Needs, 'watched'>,
): Promise<void> {
  const { task, run } = watch
  const known = bridgeOf(watch, { runFiles })
  if (known === 'none' || known === note) return
  watch.bridge = note
  runFiles.noteBridge(run.id, note)
  if (note === 'absent')
    log.warn('an agent works without the tools it was given', { task: task.id, run: run.id })
  const kind = note === 'up' ? 'bridge_up' : 'bridge_absent'
  await commit({ event: { at: clock.now(), kind, taskId: task.id, data: { run_id: run.id } } })
}

const bridgeOf = (watch: Watch, { runFiles }: Pick<Needs, 'runFiles'>) =>
  (watch.bridge ??= runFiles.bridge(watch.run.id) ?? 'none')
