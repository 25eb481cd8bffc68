// Owns what is deleted in the end: old rows, files of old runs, and files whose run or task is not in the store.
import { newsOfPruningHeld } from '../../changes/subscriber-news.ts'
import { nameSeenAt } from '../../domain/journal/subscriber-name.ts'
import { asRunId, asTaskId } from '../../domain/names/ids.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Run } from '../../domain/task/run.ts'
import type { Task } from '../../domain/task/task.ts'
import { isVerifyRun } from '../../domain/verify/run-id.ts'
import type { Kept } from '../../ports/files/home-files.ts'
import type { AuditReads } from '../../ports/store/audit.ts'
import type { Pruning } from '../../ports/store/retention.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { OwnNode, Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core } from '../task/core.ts'
import type { UpkeepNeeds } from './needs.ts'
import { reportOrphan } from './orphans.ts'

const ROWS_AT_ONCE = 500
/** Events that a subscriber has not handled are kept for so many times their usual age, and no longer. */
const HELD_AT_MOST = 3
const TOLD_AGAIN_MS = 86_400_000
const FILES_AT_ONCE = 50
/** Younger files are left alone: their run or task may just be being created. */
const YOUNG_MS = 10 * 60_000
/** The row of a run is kept so much longer than its files, because it tells whose files they are. */
const ROWS_OUTLIVE_FILES_MS = 7 * 86_400_000

export async function forgetOldRows(
  core: Pick<Core, 'clock' | 'commit' | 'config' | 'log' | 'upkeep'> & Reads<Pruning & AuditReads & OwnNode>,
): Promise<void> {
  const { config } = core
  const eventsMs = config['retention.events']
  const limits = {
    eventsBefore: before(eventsMs, core),
    eventsBeforeAll: before(eventsMs === null ? null : eventsMs * HELD_AT_MOST, core),
    auditBefore: before(config['retention.audit'], core),
    runsBefore: before(config['retention.runs'], core) - ROWS_OUTLIVE_FILES_MS,
    messagesBefore: before(config['retention.messages'], core),
  }
  const { heldBy } = await core.store.prune(limits, ROWS_AT_ONCE)
  core.upkeep.heldBy = heldBy
  if (heldBy.length > 0) await tellOfHeld(heldBy, core)
}

/** Once a day, for as long as it lasts. */
async function tellOfHeld(
  heldBy: readonly string[],
  { clock, commit, log, store }: Pick<Core, 'clock' | 'commit' | 'log'> & Reads<AuditReads & OwnNode>,
): Promise<void> {
  const now = clock.now()
  const told = await store.audits({ kind: 'pruning_held', since: now - TOLD_AGAIN_MS, limit: 1 })
  if (told.length > 0) return
  const subscribers = heldBy.map((name) => nameSeenAt(store.nodeId, name))
  log.warn('old events are kept for subscribers that have not handled them', { subscribers })
  await commit(newsOfPruningHeld(subscribers, now))
}

/** Epoch ms before which something is old. When it is kept for ever (null), nothing is old. */
const before = (keptMs: number | null, { clock }: Pick<Core, 'clock'>) =>
  keptMs === null ? Number.MIN_SAFE_INTEGER : clock.now() - keptMs

/** Each call looks at a part of the home; after the last part a new round begins. */
export async function removeUnneededFiles(core: UpkeepNeeds): Promise<void> {
  const { upkeep, homeFiles } = core
  if (upkeep.kept.length === 0) upkeep.kept = await homeFiles.kept()
  for (const kept of upkeep.kept.splice(0, FILES_AT_ONCE)) await removeIfUnneeded(kept, core)
}

async function removeIfUnneeded(kept: Kept, core: UpkeepNeeds): Promise<void> {
  const changedAt = core.homeFiles.changedAt(kept)
  if (changedAt === undefined || changedAt > core.clock.now() - YOUNG_MS) return
  const need = await needFor(kept, core)
  if (need === 'old') await core.homeFiles.remove(kept)
  if (need === 'not_in_store') await removeStrayLater(kept, core)
}

async function needFor(
  { kind, id }: Kept,
  core: Pick<Core, 'clock' | 'config'> & Reads<RunReads & TaskReads>,
): Promise<'needed' | 'old' | 'not_in_store'> {
  if (kind === 'task') return (await core.store.task(asTaskId(id))) === undefined ? 'not_in_store' : 'needed'
  if (isVerifyRun(id)) return 'needed'
  const run = await core.store.run(asRunId(id))
  if (run === undefined) return 'not_in_store'
  const task = await core.store.task(run.taskId)
  return task !== undefined && isPast(run, task, core) ? 'old' : 'needed'
}

/** The last run of a task is kept until the task is archived, because `logs --raw` shows it. */
function isPast(
  { id, endedAt }: Run,
  { status, archivedAt, runId }: Task,
  core: Pick<Core, 'clock' | 'config'>,
): boolean {
  const isShown = archivedAt === null && runId === id
  return (
    isEnded(status) && !isShown && endedAt !== null && endedAt < before(core.config['retention.runs'], core)
  )
}

/** Reported at once, removed after `retention.runs`: until then, the store that knows these files may be brought back. */
async function removeStrayLater(kept: Kept, core: UpkeepNeeds): Promise<void> {
  const what = `${kept.kind} files of ${kept.id}, which is not in the store`
  const foundAt = await reportOrphan(what, kept, core)
  if (foundAt >= before(core.config['retention.runs'], core)) return
  await core.homeFiles.remove(kept)
  const at = core.clock.now()
  await core.commit({
    audit: { at, kind: 'orphan_removed', taskId: null, actor: 'holdfast', detail: what },
  })
}
