// Owns telling a parent of its children: by a trigger where its agent hears, by its next run where it waits for them. What it
// is told of is bound in the same commit, so that it is told once, whenever the daemon dies.
import { moveTask } from '../../changes/move-task.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import { finishOrderIn } from '../../delivery/inputs/finish-order.ts'
import { hearsBy } from '../../delivery/inputs/hearing.ts'
import { isHoldfastError } from '../../domain/errors.ts'
import type { HandledEvent } from '../../domain/journal/cause.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { saw } from '../../domain/task/evidence.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { ParentState } from '../../domain/task/parent-wake.ts'
import { type WaitingState, waitsForChildren } from '../../domain/task/state.ts'
import type { Task } from '../../domain/task/task.ts'
import { CHILDREN_REASON } from '../../domain/thread/wake.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { JournalReads } from '../../ports/store/journal.ts'
import type { OutboxRow } from '../../ports/store/outbox.ts'
import type { Reads } from '../../ports/store/store.ts'
import { goOnWith } from '../recovering/go-on-with.ts'
import { hasProgress, isWokenNoMore } from './block-wakes.ts'
import type { WakesNeeds } from './needs.ts'

export type ParentNews = { readonly rows: readonly OutboxRow[]; readonly text: string }

/** How the parent can be told of something now. */
export async function parentState(id: TaskId, core: WakesNeeds): Promise<ParentState> {
  const task = await core.store.task(id)
  if (task === undefined || isEnded(task.status)) return 'cannot_be_told'
  if (waitsForChildren(task))
    return (await core.store.livingChildren(id)).length > 0 ? 'waits_for_more' : 'waits'
  if (!(await takesPrompts(task, core))) return 'cannot_be_told'
  return (await core.store.unsubmitted(id, CHILDREN_REASON)).length > 0 ? 'is_being_told' : 'hears'
}

const takesPrompts = async (task: Task, core: WakesNeeds) =>
  hearsBy(task, driverOf(task, core)) !== 'nothing' &&
  finishOrderIn(await core.store.inputs(task.id)) === undefined

/** False when that is not possible any more, or not now: it is to be looked at again when something of the parent changes. */
export const wakeParent = (id: TaskId, news: ParentNews, core: WakesNeeds): Promise<boolean> =>
  core.withLock(id, async () => {
    const task = await core.store.task(id)
    if (task === undefined || isEnded(task.status)) return false
    if (await isWokenNoMore(task, news.rows, core)) return false
    if (waitsForChildren(task)) return store(await resuming(task, news, core), news, id, core)
    return (await takesPrompts(task, core)) && store(telling(task, news, core), news, id, core)
  })

async function store(
  change: Change,
  { rows }: ParentNews,
  parentId: TaskId,
  core: Pick<WakesNeeds, 'commit' | 'store'>,
): Promise<boolean> {
  const cause = await causeOf(rows, core)
  return (await tryCommit({ ...change, cause, bindOutbox: { parentId, rows } }, core)) !== undefined
}

/** The newest event that it is told of; undefined when the journal does not keep it any more. */
async function causeOf(
  rows: readonly OutboxRow[],
  { store }: Reads<Pick<JournalReads, 'journalAfter' | 'journalEnd'>>,
): Promise<HandledEvent | undefined> {
  const newest = rows.at(-1)
  if (newest === undefined) return undefined
  const { nodeId, seq } = newest
  const end = await store.journalEnd()
  try {
    const before = { ...end, at: { ...end.at, [nodeId]: seq - 1 } }
    const { events } = await store.journalAfter(before, 1, { nodeId })
    return events.find((event) => event.seq === seq)
  } catch (error) {
    if (isHoldfastError(error, 'JOURNAL_TRUNCATED')) return undefined
    throw error
  }
}

function telling(
  { id, snapshot }: Task,
  { rows, text }: ParentNews,
  { clock }: Pick<WakesNeeds, 'clock'>,
): Change {
  const at = clock.now()
  const last = rows.at(-1)
  const trigger = {
    thread: null,
    reason: CHILDREN_REASON,
    key: last === undefined ? null : `${CHILDREN_REASON}:${last.nodeId}:${last.seq}`,
    framed: snapshot.standing === true ? 1 : 0,
    forcedBy: null,
    forcedWhy: null,
  } as const
  return {
    input: { taskId: id, kind: 'prompt', text, by: 'holdfast', at, trigger },
    audit: { at, kind: kindOf(rows), taskId: id, actor: 'holdfast', detail: whatOf(rows) },
  }
}

async function resuming(
  task: Task & WaitingState,
  { rows, text }: ParentNews,
  core: WakesNeeds,
): Promise<Change> {
  const { id, status } = task
  const goOn = await goOnWith(text, task, core)
  const reason = `goes on with ${whatOf(rows)}`
  const at = core.clock.now()
  return {
    task: moveTask({
      event: 'requeued',
      goOn,
      id,
      from: status,
      reason,
      evidence: rows.map(({ childId, what }) => saw('store', `${childId}: ${what}`)),
      at,
      set: { runId: null },
    }),
    audit: { at, kind: kindOf(rows), taskId: id, actor: 'holdfast', detail: reason },
  }
}

const kindOf = (rows: readonly OutboxRow[]) =>
  hasProgress(rows) ? ('parent_woken' as const) : ('parent_woken_in_vain' as const)

function whatOf(rows: readonly OutboxRow[]): string {
  const children = [...new Set(rows.map(({ childId }) => childId))]
  return `news of ${children.length === 1 ? 'a session' : `${children.length} sessions`} that it started: ${children.join(', ')}`
}
