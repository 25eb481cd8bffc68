// Owns what is asked of the store about threads, and how they are written.

import type { TaskId, ThreadId } from '../../domain/names/ids.ts'
import type { GuardLimits } from '../../domain/thread/safeguard.ts'
import type { Message, ReadCursor, Thread } from '../../domain/thread/thread.ts'
import type { OutboxBinding, OutboxDraft } from './outbox.ts'

export type ThreadDraft = Pick<Thread, 'id' | 'title' | 'workspaceId' | 'createdBy' | 'createdAt' | 'key'> & {
  /** Who is told of messages. Whoever opens a thread or posts to it becomes one. */
  readonly members: readonly string[]
}

/** `limits`: of the safeguard, which is decided on what is stored at that moment. */
export type MessageDraft = Pick<Message, 'threadId' | 'author' | 'kind' | 'refs' | 'text' | 'at' | 'key'> & {
  readonly limits: GuardLimits
}

/** Never backwards, and never beyond the last message. */
export type CursorMove = Omit<ReadCursor, 'at'> & { readonly threadId: ThreadId; readonly at: number }

export type ThreadBlock = { readonly id: ThreadId; readonly why: string; readonly at: number }
export type ThreadContinuation = {
  readonly id: ThreadId
  readonly by: string
  readonly why: string | null
  readonly at: number
}

/** The parts of a change that concern threads, and what parents are to be told. */
export type ThreadChange = {
  /** TRANSITION_CONFLICT when its creator has opened one with its key. */
  readonly createThread?: ThreadDraft
  /**
   * The safeguard may block the thread with it. THREAD_AUTO_BLOCKED when it is blocked and the author is no person,
   * KEY_REUSED when the author posted something else with the key, THREAD_NOT_FOUND.
   */
  readonly post?: MessageDraft
  readonly moveReadCursor?: CursorMove
  /** A thread that is blocked already stays so for its first reason. */
  readonly blockThread?: ThreadBlock
  /** TRANSITION_CONFLICT when the thread is not blocked. */
  readonly continueThread?: ThreadContinuation
  /** A parent is to be told of this event of its child. */
  readonly outbox?: OutboxDraft
  /** What one that has ended was still to be told is for another, or for nobody. */
  readonly readdress?: { readonly from: TaskId; readonly to: TaskId | null }
  readonly bindOutbox?: OutboxBinding
}

export type ThreadFilter = {
  readonly blocked?: boolean
  /** Only threads that this participant is a member of. */
  readonly member?: string
}

/** A thread in which others posted something that the reader is not done with, and how many messages that is. */
export type UnreadThread = { readonly id: ThreadId; readonly unread: number }

export interface ThreadReads {
  thread(id: ThreadId): Promise<Thread | undefined>
  /** Newest first, those older than `after`. */
  threads(
    filter: ThreadFilter,
    ask: { readonly after: ThreadId | null; readonly most: number },
  ): Promise<Thread[]>
  threadMembers(id: ThreadId): Promise<string[]>
  /** In their order; `exceptOf`: without those of this author. */
  messages(
    id: ThreadId,
    ask: { readonly after: number; readonly most: number; readonly exceptOf?: string },
  ): Promise<Message[]>
  readCursors(id: ThreadId): Promise<ReadCursor[]>
  /** 0 for one who has not read anything. */
  readCursor(id: ThreadId, reader: string): Promise<number>
  /** Of the threads that the reader is a member of, oldest first. */
  unreadThreads(reader: string): Promise<UnreadThread[]>
}
