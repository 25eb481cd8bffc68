// Owns how much disk tasks may take. Each call measures one task with an open run, so that a hundred
// cost no more than one.

import { tryCommit } from '../../changes/try-commit.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { TaskSummary } from '../../domain/task/task.ts'
import { byteSizeText, roughByteSize } from '../../domain/text/byte-size.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Core, Watch } from '../task/core.ts'
import type { UpkeepNeeds } from './needs.ts'

/** Measuring a task stops after so many files, because more would take too long. The result is then too small. */
const MOST_ENTRIES = 20_000
/** Tasks without an open run no longer change. Each is measured once after its last run, so many per call. */
const RESTING_PER_CALL = 5
const DAY_MS = 86_400_000

export async function checkDisk(core: UpkeepNeeds): Promise<void> {
  const live = nextLive(core)
  if (live !== undefined) await judge(live, await measure(live.task, core), core)
  await measureFoundAtStart(core)
  await measureSinceEnded(core)
  await judgeTotal(core)
}

function nextLive({ watched, upkeep }: Pick<Core, 'upkeep' | 'watched'>): Watch | undefined {
  const ids = [...watched.keys()]
  const last = upkeep.measured === undefined ? -1 : ids.indexOf(upkeep.measured)
  const next = ids[(last + 1) % ids.length]
  upkeep.measured = next
  return next === undefined ? undefined : watched.get(next)
}

async function directoriesOf(
  task: TaskSummary,
  core: Pick<Core, 'handoff' | 'runFiles'> & Reads<RunReads>,
): Promise<string[]> {
  const runs = await core.store.runsOf(task.id)
  return [core.handoff.paths(task).view, ...runs.map(({ id }) => core.runFiles.directory(id))]
}

/** Where a person would begin to clean up. Measures each directory of the task once more. */
async function largestOf(
  task: TaskSummary,
  core: Pick<Core, 'handoff' | 'homeFiles' | 'runFiles'> & Reads<RunReads>,
): Promise<string> {
  let largest = { path: core.handoff.paths(task).view, bytes: 0 }
  for (const path of await directoriesOf(task, core)) {
    const bytes = await core.homeFiles.used([path], MOST_ENTRIES)
    if (bytes > largest.bytes) largest = { path, bytes }
  }
  return largest.path
}

/** Bytes in the task's handoff directory and in the directories of all its runs. */
async function measure(
  task: TaskSummary,
  core: Pick<Core, 'handoff' | 'homeFiles' | 'runFiles' | 'upkeep'> & Reads<RunReads>,
): Promise<number> {
  const bytes = await core.homeFiles.used(await directoriesOf(task, core), MOST_ENTRIES)
  core.upkeep.sizes.set(task.id, bytes)
  return bytes
}

/** Walks once through the tasks that the daemon found at its start. */
async function measureFoundAtStart(core: UpkeepNeeds): Promise<void> {
  const { upkeep, store } = core
  if (upkeep.measuredTo === undefined) return
  const few = { most: RESTING_PER_CALL, mostEnded: RESTING_PER_CALL }
  const { items, next } = await store.taskPage({}, { after: upkeep.measuredTo, ...few })
  upkeep.measuredTo = next ?? undefined
  for (const { id, nodeId } of items) if (nodeId === store.nodeId) await measureResting(id, core)
}

async function measureSinceEnded(core: UpkeepNeeds): Promise<void> {
  for (const id of [...core.upkeep.unmeasured].slice(0, RESTING_PER_CALL)) {
    core.upkeep.unmeasured.delete(id)
    await measureResting(id, core)
  }
}

/** Under the task's lock, so that it is not archived or removed meanwhile: its size would stay in the total. */
async function measureResting(id: TaskId, core: UpkeepNeeds): Promise<void> {
  await core.withLock(id, async () => {
    const task = await core.store.task(id)
    if (task !== undefined && task.archivedAt === null && !core.watched.has(id)) await measure(task, core)
  })
}

async function judge(watch: Watch, bytes: number, core: UpkeepNeeds): Promise<void> {
  const { 'disk.warn': warn, 'disk.limit': limit } = core.config
  if (limit !== null && bytes >= limit) await end(watch, bytes, limit, core)
  else if (warn !== null && bytes >= warn) await warnOnce(watch.task, bytes, warn, core)
}

async function end({ task }: Watch, bytes: number, limit: number, core: UpkeepNeeds): Promise<void> {
  const { id } = task
  const at = core.clock.now()
  const reason = `Disk limit: it takes ${roughByteSize(bytes)}, at most ${byteSizeText(limit)} are allowed; most of it is in ${await largestOf(task, core)}`
  const audit: AuditEntry = { at, kind: 'quota_exceeded', taskId: id, actor: 'holdfast', detail: reason }
  await core.withLock(id, async () => {
    if (!core.watched.has(id)) return
    await tryCommit({ stop: { id, order: { kind: 'disk', by: 'holdfast', reason, at } }, audit }, core)
  })
}

/** The audit row is written last: it records that people were told. */
async function warnOnce(task: TaskSummary, bytes: number, warn: number, core: UpkeepNeeds): Promise<void> {
  const { id } = task
  const [told] = await core.store.audits({ taskId: id, kind: 'quota_warning', limit: 1 })
  if (told !== undefined) return
  const at = core.clock.now()
  const detail = `it takes ${roughByteSize(bytes)} of disk, more than ${byteSizeText(warn)}, most of it in ${await largestOf(task, core)}`
  await core.handoff.remarkOnDisk(task, `${detail}${endsAt(core)}`)
  const warning = { at, kind: 'quota_warning', taskId: id } as const
  await core.commit({
    event: { ...warning, data: { bytes, warn_at: warn } },
    audit: { ...warning, actor: 'holdfast', detail },
  })
}

const endsAt = ({ config: { 'disk.limit': limit } }: Pick<Core, 'config'>) =>
  limit === null ? '' : `; at ${byteSizeText(limit)} it is ended`

/** The disk space that all tasks take, as far as it was measured. */
export function diskOfAll({ upkeep, config }: Pick<Core, 'config' | 'upkeep'>) {
  const bytes = [...upkeep.sizes.values()].reduce((sum, size) => sum + size, 0)
  const warnAt = config['disk.totalWarn']
  const isTooMuch = warnAt !== null && bytes >= warnAt
  const words = `All sessions together take ${roughByteSize(bytes)} of disk`
  return { bytes, words, warning: isTooMuch ? `${words}, more than ${byteSizeText(warnAt)}` : null }
}

async function judgeTotal(core: UpkeepNeeds): Promise<void> {
  const { bytes, warning } = diskOfAll(core)
  const warnAt = core.config['disk.totalWarn']
  if (warning === null || warnAt === null) return
  const at = core.clock.now()
  const kind = 'quota_warning_total'
  const [told] = await core.store.audits({ kind, since: at - DAY_MS, limit: 1 })
  if (told !== undefined) return
  await core.commit({
    event: { at, kind, taskId: null, data: { bytes, warn_at: warnAt } },
    audit: { at, kind, taskId: null, actor: 'holdfast', detail: warning },
  })
  core.log.warn(warning)
}
