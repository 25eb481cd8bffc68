// Owns that messages wake the agents that have not read them. Events are handled in the order of the journal. While an agent's
// last wake-up is on its way, further messages make no other: it reads all of them then. The first message after that makes
// the next. Each event has a key for its wake-ups: when it is handled again, after a crash, it wakes nobody twice.
import { isHoldfastError } from '../../domain/errors.ts'
import type { EventKind, JournalEvent } from '../../domain/journal/events.ts'
import type { ThreadId } from '../../domain/names/ids.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { Task } from '../../domain/task/task.ts'
import { nameOfTask, taskNamed } from '../../domain/thread/participant.ts'
import type { Thread } from '../../domain/thread/thread.ts'
import { wakeKey } from '../../domain/thread/wake.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Desk, Subscription } from '../../supervisor/desk.ts'
import { taskOf } from '../participant.ts'
import { wakeWords } from './wake-words.ts'

const THREADS_PER_READ = 200

type Uses = Pick<Desk, 'runtimes' | 'tasks' | 'threads' | 'triggers' | 'wakes'>
type Handlers = {
  readonly [Kind in EventKind]?: (event: JournalEvent<Kind>, desk: Uses) => Promise<void>
}

const handlers: Handlers = {
  message_posted: async (event, desk) => {
    const { thread, number, author } = event.data
    for (const member of await membersToWake(thread, desk))
      if (member !== author && (await desk.threads.cursor(thread, member)) < number)
        await wakeMember(member, { thread, by: author, key: wakeKey(thread, number), cause: event }, desk)
  },
  thread_blocked: (event, desk) => desk.wakes.drop(event.data.thread, event.data.why, event),
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
  cursor_moved: async (event, desk) => {
    const { thread, reader, number } = event.data
    const task = await taskOf(reader, desk)
    const evidence = [saw('agent', `it is done with message ${number} of ${thread}`)]
    if (task !== undefined)
      await desk.triggers.acknowledgeBy(task, 'cursor', { thread, evidence, at: event.at, cause: event })
  },
}

export const unreadSubscription = (desk: Uses): Subscription => ({
  name: 'unread',
  isOfNode: true,
  kinds: Object.keys(handlers) as EventKind[],
  async handle(event) {
    const handle = handlers[event.kind] as ((event: JournalEvent, desk: Uses) => Promise<void>) | undefined
    await handle?.(event, desk)
    // Whether an earlier wake-up tells of a message is decided once: the place moves on with the decision.
    return event.kind === 'message_posted' ? {} : undefined
  },
  readAnew: () => wakeAllWithUnread(desk),
})

/** A thread that is blocked, or was deleted because of its age, wakes nobody. */
async function membersToWake(id: ThreadId, { threads }: Uses): Promise<string[]> {
  try {
    return (await threads.get(id)).blocked === null ? await threads.members(id) : []
  } catch (error) {
    if (isHoldfastError(error, 'THREAD_NOT_FOUND')) return []
    throw error
  }
}

/** Events were lost: whoever has something to read in a thread that is not blocked is woken. */
async function wakeAllWithUnread(desk: Uses): Promise<Change> {
  const open = await openThreads(desk)
  const members = new Set<string>()
  for (const { id } of open.values()) for (const member of await desk.threads.members(id)) members.add(member)
  for (const member of members)
    for (const { id } of await desk.threads.unread(member)) {
      const thread = open.get(id)
      if (thread === undefined) continue
      const key = wakeKey(id, `anew:${thread.lastNumber}`)
      await wakeMember(member, { thread: id, by: 'holdfast', key }, desk)
    }
  return {}
}

async function openThreads({ threads }: Uses): Promise<Map<ThreadId, Thread>> {
  const open = new Map<ThreadId, Thread>()
  for (let after: ThreadId | null = null; ; ) {
    const page: Thread[] = await threads.list({ blocked: false }, { after, most: THREADS_PER_READ })
    for (const thread of page) open.set(thread.id, thread)
    if (page.length < THREADS_PER_READ) return open
    after = page.at(-1)?.id ?? null
  }
}

/** A task came back that was over, or a role got a runtime: messages may have come meanwhile. */
async function wakeReturned(event: JournalEvent, desk: Uses): Promise<void> {
  const task = event.taskId === null ? undefined : await taskOf(taskNamed(event.taskId), desk)
  if (task === undefined) return
  for (const { id } of await desk.threads.unread(nameOfTask(task)))
    if ((await desk.threads.get(id)).blocked === null) await wake(task, occasion(id, 'back', event), desk)
}

type Wake = Parameters<Uses['wakes']['forMessages']>[1]
type Occasion = Omit<Wake, 'text'>

const occasion = (thread: ThreadId, what: string, event: JournalEvent): Occasion => ({
  thread,
  by: 'holdfast',
  key: wakeKey(thread, `${what}:${event.nodeId}:${event.seq}`),
  cause: event,
})

async function wakeMember(member: string, how: Occasion, desk: Uses): Promise<void> {
  const task = await taskOf(member, desk)
  if (task !== undefined) await wake(task, how, desk)
}

const wake = (task: Task, how: Occasion, desk: Uses) =>
  desk.wakes.forMessages(task, { ...how, text: wakeWords(how.thread, task) })
