// Owns threads on behalf of others: what is written with its time and limits, and waiting for messages.
import { HoldfastError, isHoldfastError } from '../../../domain/errors.ts'
import type { TaskId, ThreadId } from '../../../domain/names/ids.ts'
import { contentHash } from '../../../domain/text/content-hash.ts'
import type { Message, ReadCursor, Thread } from '../../../domain/thread/thread.ts'
import { threadIdOf } from '../../../domain/thread/thread-id.ts'
import type { RequestKey, RequestKeyReads } from '../../../ports/store/request-keys.ts'
import type { Reads } from '../../../ports/store/store.ts'
import type { MessageDraft, ThreadDraft, ThreadReads } from '../../../ports/store/threads.ts'
import { oncePerKey, withKey } from '../../kernel/once-per-key.ts'
import type { Core } from '../../task/core.ts'
import { NewsOfTasks } from '../wait/news-of-tasks.ts'

type Needs = Pick<Core, 'clock' | 'commit' | 'config' | 'ids' | 'waiters'> &
  Reads<RequestKeyReads & ThreadReads>

type NewThread = Omit<ThreadDraft, 'id' | 'createdAt'>

/** News are a hint; this is how long a missed one can delay an answer. */
const LOOK_AGAIN_MS = 5000

/** Who decides, for the record: `taskId` is that of a run's task. */
export type Actor = { readonly name: string; readonly taskId: TaskId | null }

/** `stopping`: from then on nobody waits. */
export const threadsDesk = (core: Needs, stopping: AbortSignal) => {
  const { store, clock, config, commit } = core
  const get = (id: ThreadId): Promise<Thread> => existingThread(id, core)
  return {
    /** The role whose agents may decide for people; null when there is none. */
    orchestratorRole: config['orchestrator.role'],

    /** THREAD_NOT_FOUND when there is none. */
    get,
    list: ((filter, ask) => store.threads(filter, ask)) as ThreadReads['threads'],
    members: (id: ThreadId): Promise<string[]> => store.threadMembers(id),
    messages: ((id, ask) => store.messages(id, ask)) as ThreadReads['messages'],
    cursor: (id: ThreadId, reader: string): Promise<number> => store.readCursor(id, reader),
    cursors: (id: ThreadId): Promise<ReadCursor[]> => store.readCursors(id),
    unread: ((reader) => store.unreadThreads(reader)) as ThreadReads['unreadThreads'],

    open: (draft: NewThread, by: Actor): Promise<Thread> => openThread(draft, by, core),

    /** With the same key it is the same message. */
    async post(draft: Omit<MessageDraft, 'at' | 'limits'>): Promise<Message> {
      const limits = {
        maxTurns: config['thread.maxTurns'],
        maxIdenticalFindings: config['thread.maxIdenticalFindings'],
      }
      const { message } = await commit({ post: { ...draft, at: clock.now(), limits } })
      if (message === undefined)
        throw new HoldfastError('INTERNAL', 'A post was committed without a message.')
      return message
    },

    /** The reader is done with all messages up to this one. */
    async moveCursor(threadId: ThreadId, reader: string, number: number): Promise<void> {
      await commit({ moveReadCursor: { threadId, reader, number, at: clock.now() } })
    },

    /** False when it was not blocked. */
    async continue(id: ThreadId, participant: string, why: string | null, by: Actor): Promise<boolean> {
      const at = clock.now()
      const detail = why === null ? id : `${id}: ${why}`
      try {
        await commit({
          continueThread: { id, by: participant, why, at },
          audit: { at, kind: 'thread_continued', taskId: by.taskId, actor: by.name, detail },
        })
        return true
      } catch (error) {
        if (isHoldfastError(error, 'TRANSITION_CONFLICT')) return false
        throw error
      }
    },

    /** Looks whenever somebody posts to the thread. Undefined when the time is up, or the daemon stops. */
    async whenFound<T>(id: ThreadId, look: () => Promise<T | undefined>, ms: number): Promise<T | undefined> {
      const until = clock.monotonic() + ms
      const news = new NewsOfTasks([id], core)
      try {
        for (;;) {
          const found = await look()
          const left = until - clock.monotonic()
          if (found !== undefined || left <= 0 || stopping.aborted) return found
          await news.next(Math.min(left, LOOK_AGAIN_MS), stopping)
        }
      } finally {
        news.close()
      }
    },
  }
}

async function existingThread(id: ThreadId, { store }: Reads<Pick<ThreadReads, 'thread'>>): Promise<Thread> {
  const thread = await store.thread(id)
  if (thread === undefined) throw new HoldfastError('THREAD_NOT_FOUND', `There is no thread ${id}.`)
  return thread
}

/** With the same key it is the same thread. */
function openThread(draft: NewThread, by: Actor, core: Needs): Promise<Thread> {
  const asked = requestOf(draft)
  return oncePerKey(
    asked,
    {
      make: () => openNow(draft, asked, by, core),
      madeBefore: ({ made }) => existingThread(made as ThreadId, core),
    },
    core,
  )
}

function requestOf({ createdBy, key, title, workspaceId, members }: NewThread): RequestKey | undefined {
  if (key === null) return undefined
  const digest = contentHash(JSON.stringify([title, workspaceId, [...members].sort()]))
  return { createdBy, route: 'POST /api/threads', key, digest }
}

async function openNow(
  draft: NewThread,
  asked: RequestKey | undefined,
  by: Actor,
  core: Needs,
): Promise<Thread> {
  const id = threadIdOf(core.ids.run())
  const at = core.clock.now()
  await core.commit({
    createThread: { ...draft, id, createdAt: at },
    audit: { at, kind: 'thread_created', taskId: by.taskId, actor: by.name, detail: `${id}: ${draft.title}` },
    ...withKey(asked, { made: id, at }),
  })
  return await existingThread(id, core)
}
