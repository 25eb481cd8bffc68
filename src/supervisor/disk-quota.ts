// Owns how much disk tasks may take. Measured in turns: one live task a call, so that a hundred cost no more than one.
import { byteSizeText, roughByteSize } from '../domain/byte-size.ts'
import type { TaskSummary } from '../domain/task.ts'
import type { Core, Watch } from './core.ts'
import { refresh } from './watch-task.ts'

/** Looking at more would take longer than it is worth: whoever has so many files has filled any limit, or none of them is large. */
const MOST_ENTRIES = 20_000
/** Tasks without a run change no more: each is measured once. */
const RESTING_PER_CALL = 5
const DAY_MS = 86_400_000

export async function checkDisk(core: Core): Promise<void> {
  const live = nextLive(core)
  if (live !== undefined) await judge(live, await measure(live.task, core), core)
  await measureResting(core)
  await judgeTotal(core)
}

function nextLive({ watched, upkeep }: Core): Watch | undefined {
  const ids = [...watched.keys()]
  const next = ids[(ids.indexOf(upkeep.measured!) + 1) % ids.length]
  upkeep.measured = next
  return next === undefined ? undefined : watched.get(next)
}

/** The handoff directory and the directories of all its runs. */
async function measure(task: TaskSummary, core: Core): Promise<number> {
  const runs = await core.store.runsOf(task.id)
  const paths = [core.handoff.paths(task).view, ...runs.map(({ id }) => core.runFiles.directory(id))]
  const bytes = await core.house.used(paths, MOST_ENTRIES)
  core.upkeep.sizes.set(task.id, bytes)
  return bytes
}

async function measureResting(core: Core): Promise<void> {
  const { upkeep } = core
  upkeep.unmeasured ??= (await core.store.tasks()).filter(({ nodeId }) => nodeId === core.store.nodeId)
  for (const task of upkeep.unmeasured.splice(0, RESTING_PER_CALL))
    if (!core.watched.has(task.id)) await measure(task, core)
}

async function judge(watch: Watch, bytes: number, core: Core): Promise<void> {
  const { 'disk.warn': warn, 'disk.limit': limit } = core.config
  if (limit !== null && bytes >= limit) await end(watch, bytes, limit, core)
  else if (warn !== null && bytes >= warn) await warnOnce(watch.task, bytes, warn, core)
}

async function end({ task: { id } }: Watch, bytes: number, limit: number, core: Core): Promise<void> {
  const at = core.clock.now()
  const reason = `Disk limit: it takes ${roughByteSize(bytes)}, at most ${byteSizeText(limit)} are allowed`
  const audit = { at, kind: 'quota_exceeded', taskId: id, actor: 'holdfast', detail: reason }
  await core.alone(id, async () => {
    const watch = core.watched.get(id)
    if (watch === undefined) return
    await core.store.orderStop(id, { kind: 'disk', by: 'holdfast', reason, at }, audit)
    await refresh(watch, core)
  })
  core.poke(id)
}

/** The audit row comes last: it says that it was told. */
async function warnOnce({ id }: TaskSummary, bytes: number, warn: number, core: Core): Promise<void> {
  const [told] = await core.store.audits({ taskId: id, kind: 'quota_warning', limit: 1 })
  if (told !== undefined) return
  const at = core.clock.now()
  await core.store.tell({ at, kind: 'quota_warning', taskId: id, data: { bytes, warn_at: warn } })
  const detail = `it takes ${roughByteSize(bytes)} of disk, more than ${byteSizeText(warn)}`
  await core.store.audit({ at, kind: 'quota_warning', taskId: id, actor: 'holdfast', detail })
  core.bell.ring(id)
}

async function judgeTotal(core: Core): Promise<void> {
  const warn = core.config['disk.totalWarn']
  const bytes = [...core.upkeep.sizes.values()].reduce((sum, size) => sum + size, 0)
  if (warn === null || bytes < warn) return
  const at = core.clock.now()
  const kind = 'quota_warning_total'
  const [told] = await core.store.audits({ kind, since: at - DAY_MS, limit: 1 })
  if (told !== undefined) return
  await core.store.tell({ at, kind, taskId: null, data: { bytes, warn_at: warn } })
  const detail = `all tasks take ${roughByteSize(bytes)} of disk, more than ${byteSizeText(warn)}`
  await core.store.audit({ at, kind, taskId: null, actor: 'holdfast', detail })
  core.log.warn(detail)
}
