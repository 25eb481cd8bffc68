// Owns passing on news of children whose parent has ended. The store writes the outbox row of a child's move in the commit of
// the move. Here, rows that a parent was not told before it ended go to its nearest living ancestor; when there is none,
// people are told. Those of a runtime that is stopped stay for it, and people are told, too.
import type { JournalEvent } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { CHILD_NEWS, type ChildNews } from '../../domain/task/child-news.ts'
import { isEnded } from '../../domain/task/machine.ts'
import { canBeTold } from '../../domain/task/parent-wake.ts'
import { staysWhenIdle } from '../../domain/task/stays-when-idle.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Change } from '../../ports/store/commits.ts'
import { PARENTS } from '../../ports/store/outbox.ts'
import type { Desk, Subscription } from '../../supervisor/desk.ts'

type Uses = Pick<Desk, 'tasks' | 'outbox'>

export const parentsSubscription = (desk: Uses): Subscription => ({
  name: PARENTS,
  isOfNode: true,
  kinds: CHILD_NEWS.map((news) => `task_${news}` as const),
  // A parent is completed only when it was told of all its children, also of moves that an earlier version stored without a row.
  catchesUpFirst: true,
  handle: (event) => noteForParent(event, desk),
  readAnew: () => passOnWhatIsLeft(desk),
})

/** What is to be stored for an event of a child or of a parent; undefined when the store has written all that is needed. */
async function noteForParent(event: JournalEvent, desk: Uses): Promise<Change | undefined> {
  const what = CHILD_NEWS.find((news) => event.kind === `task_${news}`)
  const task = event.taskId === null ? undefined : await desk.tasks.getIfExists(event.taskId)
  if (what === undefined || task === undefined) return undefined
  if (what === 'turn_finished') return noteRest(event, task, desk)
  const leftOver = canBeTold(task) ? 0 : (await desk.outbox.unboundFor(task.id)).length
  const row = task.parentId === null ? undefined : await desk.outbox.rowOf(keyOf(event))
  const isMissing = task.parentId !== null && row === undefined
  const heir = await livingAncestor(task, desk)
  const to = heir?.id ?? null
  const isForNobody = row?.parentId === null || ((isMissing || leftOver > 0) && to === null)
  const stopped = heir !== undefined && isEnded(heir.status) ? heir.runtime : null
  if (!isMissing && leftOver === 0 && !isForNobody && stopped === null) return undefined
  return {
    // An earlier version of Holdfast stored the move without a row.
    ...(isMissing && { outbox: rowFor(event, what, task.id, to) }),
    ...(leftOver > 0 && { readdress: { from: task.id, to } }),
    ...((isForNobody || stopped !== null) &&
      !isDone(task) && { event: escalation(event.at, task, leftOver, stopped) }),
  }
}

/** Events were deleted before they were handled, and ends of parents may be among them: the rows of parents that have ended are passed on now. */
async function passOnWhatIsLeft(desk: Uses): Promise<Change> {
  for (const id of await desk.outbox.parents()) {
    const task = await desk.tasks.getIfExists(id)
    if (task === undefined || canBeTold(task)) continue
    const leftOver = (await desk.outbox.unboundFor(id)).length
    const to = (await livingAncestor(task, desk))?.id ?? null
    const tellsPeople = to === null && !isDone(task)
    await desk.outbox.passOn(
      { from: id, to },
      tellsPeople ? escalation(task.endedAt ?? task.createdAt, task, leftOver, null) : undefined,
    )
  }
  return {}
}

/**
 * A child in a terminal, or in a conversation, does not end by itself. A parent that stays after its own turns looks when it
 * wants to; one that waits for its children would wait for ever.
 */
async function noteRest(event: JournalEvent, task: Task, desk: Uses): Promise<Change | undefined> {
  const parent = staysWhenIdle(task) ? await livingAncestor(task, desk) : undefined
  if (parent === undefined || staysWhenIdle(parent)) return undefined
  return { outbox: rowFor(event, 'turn_finished', task.id, parent.id) }
}

/** No other task started this one, and it does not end by itself: whoever finished it has decided that it need not be told of its children any more. */
const isDone = (task: Task) => task.status === 'completed' && task.parentId === null && staysWhenIdle(task)

const keyOf = ({ nodeId, seq }: JournalEvent) => ({ subscriber: PARENTS, nodeId, seq })

const rowFor = (event: JournalEvent, what: ChildNews, childId: TaskId, parentId: TaskId | null) => ({
  ...keyOf(event),
  parentId,
  childId,
  what,
  at: event.at,
})

/** The nearest ancestor that can be told something, now or when it is started again; undefined when all have ended or were removed. */
async function livingAncestor({ parentId }: Task, desk: Uses): Promise<Task | undefined> {
  for (let up = parentId; up !== null; ) {
    const task = await desk.tasks.getIfExists(up)
    if (task === undefined || canBeTold(task)) return task
    up = task.parentId
  }
  return undefined
}

/** Nobody can be woken: people are told. `stopped`: the runtime that is told when it is started again. */
function escalation(at: number, { id, parentId }: Task, leftOver: number, stopped: string | null) {
  const reason = () => {
    if (leftOver > 0)
      return `it ended before it was told of ${leftOver} event${leftOver === 1 ? '' : 's'} of its children`
    return stopped === null
      ? `the session that started it, ${parentId}, has ended: no session is told how it went on`
      : `the runtime ${stopped} is stopped: it is told how this went on when it is started again`
  }
  return { at, kind: 'escalation', taskId: id, data: { reason: reason() } } as const
}
