// Owns orphans: processes and panes with the mark of a run that is over or unknown. Only what is proven ours is ended.
import { asRunId, type RunId } from '../../domain/names/ids.ts'
import { isOver } from '../../domain/run/machine.ts'
import type { Run } from '../../domain/task/run.ts'
import { isVerifyRun } from '../../domain/verify/run-id.ts'
import type { ProcessIdentity } from '../../ports/run/processes.ts'
import type { AuditReads } from '../../ports/store/audit.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Core } from '../task/core.ts'
import { sweep } from '../task/end-run.ts'
import { watchTask } from '../task/watch-task.ts'
import type { UpkeepNeeds } from './needs.ts'

const MOST_REMEMBERED = 10_000

export async function endOrphans(core: UpkeepNeeds): Promise<void> {
  for (const [mark, processes] of await core.processes.marked()) {
    const runId = asRunId(mark)
    // The verifier looks after the processes of its commands.
    if (isVerifyRun(mark)) continue
    if (!core.taskOfRun.has(runId)) await endOrphanProcesses(runId, processes, core)
  }
  await reportPanes(core)
}

/**
 * Processes of a run in our store are ours, and are ended. With only a run directory that is not proven: they are
 * reported. With neither, they belong to another home.
 */
async function endOrphanProcesses(
  runId: RunId,
  processes: readonly ProcessIdentity[],
  core: UpkeepNeeds,
): Promise<void> {
  const run = await core.store.run(runId)
  if (run !== undefined) return core.withLock(run.taskId, () => endProcessesOf(run, core))
  if (!core.runFiles.has(runId)) return
  const pids = processes.map(({ pid }) => pid)
  await reportOrphan(`processes of run ${runId}, which is not in the store`, { run: runId, pids }, core)
}

/** Under the task's lock, so that a run that is just ending is seen in its new state. An open run is watched again. */
async function endProcessesOf({ id, taskId }: Run, core: UpkeepNeeds): Promise<void> {
  const [run, task] = [await core.store.run(id), await core.store.task(taskId)]
  if (run === undefined || task === undefined || task.nodeId !== core.store.nodeId) return
  if (isOver(run.state)) return endLeft(run, core)
  if (task.runId !== run.id || core.taskOfRun.has(run.id)) return
  await watchTask(task.id, run.id, core)
  core.requestLook(task.id)
}

async function endLeft(
  { id, taskId }: Run,
  core: Pick<Core, 'clock' | 'commit' | 'findProcessesOfRun' | 'log' | 'processes'>,
): Promise<void> {
  const { killed: ended } = await sweep(id, core)
  if (ended === 0) return
  const at = core.clock.now()
  const detail = `${ended} processes of run ${id}, which was over`
  await core.commit({
    event: { at, kind: 'orphan_ended', taskId, data: { run: id, processes: ended } },
    audit: { at, kind: 'orphan_ended', taskId, actor: 'holdfast', detail },
  })
}

/** Reports panes of unknown runs. Panes of runs that are over are closed by `matchWindows`. */
async function reportPanes(core: UpkeepNeeds): Promise<void> {
  if (core.terminal.health() !== 'up') return
  for (const { session, mark } of await core.terminal.panes()) {
    const runId = asRunId(mark)
    if (core.taskOfRun.has(runId) || (await core.store.run(runId)) !== undefined) continue
    await reportOrphan(
      `pane ${session} of run ${mark}, which is not in the store`,
      { pane: session, run: mark },
      core,
    )
  }
}

/** Reports each orphan once, also across restarts of the daemon. Returns the epoch ms when it was first found. */
export async function reportOrphan(
  what: string,
  data: Readonly<Record<string, unknown>>,
  core: Pick<Core, 'clock' | 'commit' | 'log' | 'upkeep'> & Reads<AuditReads>,
): Promise<number> {
  const { store, upkeep, clock, log } = core
  upkeep.orphans ??= new Map(
    (await store.audits({ kind: 'orphan_found', limit: MOST_REMEMBERED })).map(({ detail, at }) => [
      detail,
      at,
    ]),
  )
  const known = upkeep.orphans.get(what)
  if (known !== undefined) return known
  const at = clock.now()
  await core.commit({
    event: { at, kind: 'orphan_found', taskId: null, data: { what, ...data } },
    audit: { at, kind: 'orphan_found', taskId: null, actor: 'holdfast', detail: what },
  })
  upkeep.orphans.set(what, at)
  log.warn('found something of a run or task that is not in the store', { what, ...data })
  return at
}
