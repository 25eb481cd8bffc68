// Owns that parents learn of their children: an end, a question or an escalation of a child becomes a row in the outbox,
// in the same commit as the subscriber's place. So none is missed, and none is there twice, whenever the daemon dies.
import { isHoldfastError } from '../../domain/errors.ts'
import type { JournalEvent } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { CHILD_NEWS, type ChildNews } from '../../domain/task/child-news.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Desk, Subscription } from '../../supervisor/desk.ts'

export const PARENTS = 'parents'
type Uses = Pick<Desk, 'tasks' | 'outbox'>

export const parentsSubscription = (desk: Uses): Subscription => ({
  name: PARENTS,
  kinds: CHILD_NEWS.map((news) => `task_${news}` as const),
  handle: (event) => noteForParent(event, desk),
})

/** Undefined where nobody is to be told anything. */
async function noteForParent(event: JournalEvent, desk: Uses): Promise<Change | undefined> {
  const what = CHILD_NEWS.find((news) => event.kind === `task_${news}`)
  const task = event.taskId === null ? undefined : await knownTask(event.taskId, desk)
  if (what === undefined || task === undefined) return undefined
  if (what === 'turn_finished') return noteRest(event, task, desk)
  const leftOver = isEnded(task.status) ? (await desk.outbox.unboundFor(task.id)).length : 0
  if (task.parentId === null && leftOver === 0) return undefined
  const to = await livingAncestor(task, desk)
  return {
    ...(task.parentId !== null && { outbox: rowOf(event, what, task.id, to) }),
    ...(leftOver > 0 && { readdress: { from: task.id, to } }),
    ...(to === null && !isDone(task) && { event: escalation(event, task, leftOver) }),
  }
}

/**
 * A child in a terminal, or in a conversation, does not end by itself. A parent that stays after its own turns looks when it
 * wants to; one that waits for its children would wait for ever.
 */
async function noteRest(event: JournalEvent, task: Task, desk: Uses): Promise<Change | undefined> {
  const to = task.parentId === null || !staysAfterTurns(task) ? null : await livingAncestor(task, desk)
  const parent = to === null ? undefined : await knownTask(to, desk)
  if (parent === undefined || staysAfterTurns(parent)) return undefined
  return { outbox: rowOf(event, 'turn_finished', task.id, parent.id) }
}

const staysAfterTurns = ({ mode, snapshot }: Task) => mode === 'interactive' || snapshot.converse === true

/** It ended well, with what it knew, and nobody started it. */
const isDone = ({ status, parentId }: Task) => status === 'completed' && parentId === null

const rowOf = (
  { nodeId, seq, at }: JournalEvent,
  what: ChildNews,
  childId: TaskId,
  parentId: TaskId | null,
) => ({
  subscriber: PARENTS,
  nodeId,
  seq,
  parentId,
  childId,
  what,
  at,
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
function escalation({ at }: JournalEvent, { id, parentId }: Task, leftOver: number) {
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
