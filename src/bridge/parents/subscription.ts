// Owns what the store cannot see to when a child moves. The row about it is in the same commit as the move; here, what a
// parent was not told before it ended goes to its nearest living ancestor, and people are told where there is none.
import { isHoldfastError } from '../../domain/errors.ts'
import type { JournalEvent } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { CHILD_NEWS, type ChildNews } from '../../domain/task/child-news.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Change } from '../../ports/store/commits.ts'
import { PARENTS } from '../../ports/store/outbox.ts'
import type { Desk, Subscription } from '../../supervisor/desk.ts'

type Uses = Pick<Desk, 'tasks' | 'outbox'>

export const parentsSubscription = (desk: Uses): Subscription => ({
  name: PARENTS,
  isOfNode: true,
  kinds: CHILD_NEWS.map((news) => `task_${news}` as const),
  // A parent is completed only when it was told of all: also of what an earlier version left without a row.
  catchesUpFirst: true,
  handle: (event) => noteForParent(event, desk),
  readAnew: () => passOnWhatIsLeft(desk),
})

/** Undefined where nothing is left to do. */
async function noteForParent(event: JournalEvent, desk: Uses): Promise<Change | undefined> {
  const what = CHILD_NEWS.find((news) => event.kind === `task_${news}`)
  const task = event.taskId === null ? undefined : await knownTask(event.taskId, desk)
  if (what === undefined || task === undefined) return undefined
  if (what === 'turn_finished') return noteRest(event, task, desk)
  const leftOver = isEnded(task.status) ? (await desk.outbox.unboundFor(task.id)).length : 0
  const row = task.parentId === null ? undefined : await desk.outbox.rowOf(keyOf(event))
  const isMissing = task.parentId !== null && row === undefined
  const to = await livingAncestor(task, desk)
  const isForNobody = row?.parentId === null || ((isMissing || leftOver > 0) && to === null)
  if (!isMissing && leftOver === 0 && !isForNobody) return undefined
  return {
    // An earlier version of Holdfast stored the move without a row.
    ...(isMissing && { outbox: rowFor(event, what, task.id, to) }),
    ...(leftOver > 0 && { readdress: { from: task.id, to } }),
    ...(isForNobody && !isDone(task) && { event: escalation(event.at, task, leftOver) }),
  }
}

/** Events were lost, and the ends of parents may be among them: what these were not told goes on its way now. */
async function passOnWhatIsLeft(desk: Uses): Promise<Change> {
  for (const id of await desk.outbox.parents()) {
    const task = await knownTask(id, desk)
    if (task === undefined || !isEnded(task.status)) continue
    const leftOver = (await desk.outbox.unboundFor(id)).length
    const to = await livingAncestor(task, desk)
    const tellsPeople = to === null && !isDone(task)
    await desk.outbox.passOn(
      { from: id, to },
      tellsPeople ? escalation(task.endedAt ?? task.createdAt, task, leftOver) : undefined,
    )
  }
  return {}
}

/**
 * A child in a terminal, or in a conversation, does not end by itself. A parent that stays after its own turns looks when it
 * wants to; one that waits for its children would wait for ever.
 */
async function noteRest(event: JournalEvent, task: Task, desk: Uses): Promise<Change | undefined> {
  const to = task.parentId === null || !staysAfterTurns(task) ? null : await livingAncestor(task, desk)
  const parent = to === null ? undefined : await knownTask(to, desk)
  if (parent === undefined || staysAfterTurns(parent)) return undefined
  return { outbox: rowFor(event, 'turn_finished', task.id, parent.id) }
}

const staysAfterTurns = ({ mode, snapshot }: Task) => mode === 'interactive' || snapshot.converse === true

/** Nobody started it, and it does not end by itself: whoever finished it has decided that it need not know more. */
const isDone = (task: Task) => task.status === 'completed' && task.parentId === null && staysAfterTurns(task)

const keyOf = ({ nodeId, seq }: JournalEvent) => ({ subscriber: PARENTS, nodeId, seq })

const rowFor = (event: JournalEvent, what: ChildNews, childId: TaskId, parentId: TaskId | null) => ({
  ...keyOf(event),
  parentId,
  childId,
  what,
  at: event.at,
})

/** Null when all have ended, or are no longer there. */
async function livingAncestor({ parentId }: Task, desk: Uses): Promise<TaskId | null> {
  for (let up = parentId; up !== null; ) {
    const task = await knownTask(up, desk)
    if (task === undefined) return null
    if (!isEnded(task.status)) return task.id
    up = task.parentId
  }
  return null
}

/** Nobody can be woken: people are told. */
function escalation(at: number, { id, parentId }: Task, leftOver: number) {
  const reason =
    leftOver > 0
      ? `it ended before it was told of ${leftOver} event${leftOver === 1 ? '' : 's'} of its children`
      : `the session that started it, ${parentId}, has ended: no session is told how it went on`
  return { at, kind: 'escalation', taskId: id, data: { reason } } as const
}

/** Undefined for one that was removed. */
async function knownTask(id: TaskId, { tasks }: Uses): Promise<Task | undefined> {
  try {
    return await tasks.get(id)
  } catch (error) {
    if (isHoldfastError(error, 'TASK_NOT_FOUND')) return undefined
    throw error
  }
}
