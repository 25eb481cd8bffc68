// Owns how threads and messages become JSON.
import type { SeenThread, ThreadDetail, Unread } from '../../bridge/bridge.ts'
import { iso } from '../../domain/task/session-record.ts'
import type { Block, Message, Thread } from '../../domain/thread/thread.ts'
import type {
  MessageJson,
  PostedJson,
  ThreadBlockJson,
  ThreadDetailJson,
  ThreadJson,
  UnreadJson,
} from '../../protocol/json/thread-json.ts'

export const threadJson = ({ thread, unread }: SeenThread): ThreadJson => ({ ...plainThread(thread), unread })

const plainThread = (thread: Thread): PostedJson['thread'] => ({
  thread_id: thread.id,
  title: thread.title,
  workspace_id: thread.workspaceId,
  created_by: thread.createdBy,
  created_at: iso(thread.createdAt),
  state: thread.blocked === null ? 'open' : 'blocked',
  blocked: blockJson(thread.blocked),
  messages: thread.lastNumber,
  last_at: thread.lastAt === null ? null : iso(thread.lastAt),
  turns_without_progress: thread.turnsWithoutProgress,
})

const blockJson = (block: Block | null): ThreadBlockJson | null => block && { ...block, at: iso(block.at) }

export const threadDetailJson = (detail: ThreadDetail): ThreadDetailJson => ({
  ...threadJson(detail),
  members: detail.members.map(({ name, read, notWoken }) => ({ name, read, not_woken: notWoken })),
})

export const messageJson = ({ threadId, number, author, kind, refs, text, at }: Message): MessageJson => ({
  thread_id: threadId,
  number,
  author,
  kind,
  refs: [...refs],
  text,
  at: iso(at),
})

export const postedJson = ({ message, thread }: { message: Message; thread: Thread }): PostedJson => ({
  message: messageJson(message),
  thread: plainThread(thread),
})

export const unreadJson = ({ thread, reader, cursor, messages, upTo, more }: Unread): UnreadJson => ({
  thread_id: thread.id,
  reader,
  cursor,
  messages: messages.map(messageJson),
  up_to: upTo,
  more,
  blocked: blockJson(thread.blocked),
})
