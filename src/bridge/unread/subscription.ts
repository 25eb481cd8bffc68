// Owns that messages wake those who have not read them. It reads the journal in its order: a message that was posted before
// an agent has its last wake-up is read with that one, a later one makes the next. Each event wakes by a key of its own, so
// that one which is handled again, after a crash, wakes nobody twice.
import type { EventKind, JournalEvent } from '../../domain/journal/events.ts'
import type { ThreadId } from '../../domain/names/ids.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { Task } from '../../domain/task/task.ts'
import { nameOfTask, taskNamed } from '../../domain/thread/participant.ts'
import { wakeKey } from '../../domain/thread/wake.ts'
import type { Desk, Subscription } from '../../supervisor/desk.ts'
import { taskOf } from '../participant.ts'
import { wakeWords } from './wake-words.ts'

type Uses = Pick<Desk, 'runtimes' | 'tasks' | 'threads' | 'triggers' | 'wakes'>
type Handlers = {
  readonly [Kind in EventKind]?: (event: JournalEvent<Kind>, desk: Uses) => Promise<void>
}

const handlers: Handlers = {
  message_posted: async ({ data: { thread, number, author } }, desk) => {
    for (const member of await membersToWake(thread, desk))
      if (member !== author && (await desk.threads.cursor(thread, member)) < number)
        await wakeMember(member, { thread, by: author, key: wakeKey(thread, number) }, desk)
  },
  thread_blocked: ({ data: { thread, why } }, desk) => desk.wakes.drop(thread, why),
  thread_continued: async (event, desk) => {
    const { thread } = event.data
    for (const member of await membersToWake(thread, desk)) {
      const unread = await desk.threads.unread(member)
      if (unread.some(({ id }) => id === thread))
        await wakeMember(member, occasion(thread, 'continued', event), desk)
    }
  },
  task_reopened: (event, desk) => wakeReturned(event, desk),
  runtime_registered: (event, desk) => wakeReturned(event, desk),
  cursor_moved: async ({ data: { thread, reader, number }, at }, desk) => {
    const task = await taskOf(reader, desk)
    const evidence = [saw('agent', `it is done with message ${number} of ${thread}`)]
    if (task !== undefined) await desk.triggers.acknowledgeBy(task, 'cursor', { thread, evidence, at })
  },
}

export const unreadSubscription = (desk: Uses): Subscription => ({
  name: 'unread',
  kinds: Object.keys(handlers) as EventKind[],
  async handle(event) {
    const handle = handlers[event.kind] as ((event: JournalEvent, desk: Uses) => Promise<void>) | undefined
    await handle?.(event, desk)
    // Whether an earlier wake-up tells of a message is decided once: the place moves on with the decision.
    return event.kind === 'message_posted' ? {} : undefined
  },
})

/** A blocked thread wakes nobody. */
async function membersToWake(thread: ThreadId, { threads }: Uses): Promise<string[]> {
  return (await threads.get(thread)).blocked === null ? threads.members(thread) : []
}

/** It was not there when messages came. */
async function wakeReturned(event: JournalEvent, desk: Uses): Promise<void> {
  const task = event.taskId === null ? undefined : await taskOf(taskNamed(event.taskId), desk)
  if (task === undefined) return
  for (const { id } of await desk.threads.unread(nameOfTask(task)))
    if ((await desk.threads.get(id)).blocked === null) await wake(task, occasion(id, 'back', event), desk)
}

type Wake = { readonly thread: ThreadId; readonly by: string; readonly key: string }

const occasion = (thread: ThreadId, what: string, { nodeId, seq }: JournalEvent): Wake => ({
  thread,
  by: 'holdfast',
  key: wakeKey(thread, `${what}:${nodeId}:${seq}`),
})

async function wakeMember(member: string, how: Wake, desk: Uses): Promise<void> {
  const task = await taskOf(member, desk)
  if (task !== undefined) await wake(task, how, desk)
}

const wake = (task: Task, how: Wake, desk: Uses) =>
  desk.wakes.forMessages(task, { ...how, text: wakeWords(how.thread, task) })
