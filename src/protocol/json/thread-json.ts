// Owns the JSON of threads. Participants are named `person:<name>`, `task:<session id>` or `<role>@<workspace>`.
import type { Block, MessageKind } from '../../domain/thread/thread.ts'

/** `unread`: messages of others that the caller, as a member, is not done with. `messages`: how many there are. */
export type ThreadJson = {
  thread_id: string
  title: string
  workspace_id: string | null
  created_by: string
  created_at: string
  state: 'open' | 'blocked'
  blocked: ThreadBlockJson | null
  messages: number
  last_at: string | null
  turns_without_progress: number
  unread: number
}
/** Why agents may not post, and since when. */
export type ThreadBlockJson = { code: Block['code']; why: string; at: string }
/**
 * `read`: the last message that the member is done with; 0 for none. `not_woken`: why messages do not wake it; null for
 * people, and where they do.
 */
export type ThreadMemberJson = { name: string; read: number; not_woken: string | null }
export type ThreadDetailJson = ThreadJson & { members: ThreadMemberJson[] }
/** Newest first. `next`: to be given as `after`; null at the end. */
export type ThreadListJson = { threads: ThreadJson[]; next: string | null }
export type MessageJson = {
  thread_id: string
  number: number
  author: string
  kind: MessageKind
  refs: string[]
  text: string
  at: string
}
/** `next`: to be given as `after`; null at the end. */
export type MessageListJson = { messages: MessageJson[]; next: number | null }

/** `workspace`: a slug, an id or a path. `key`: the same key again is the same thread. */
export type CreateThreadJson = { title: string; workspace?: string; members?: string[]; key?: string }
/** `key`: the same key again is the same message. */
export type PostMessageJson = { text: string; kind?: MessageKind; refs?: string[]; key?: string }
/** `thread`: as it is afterwards; the message may have blocked it. */
export type PostedJson = { message: MessageJson; thread: Omit<ThreadJson, 'unread'> }
/** `up_to`: the caller is done with the messages up to this number. `limit`: at most so many messages. */
export type ReadThreadJson = { up_to?: number; wait_seconds?: number; limit?: number }
/** `cursor`: the last message the reader is done with. `up_to`: what to give once these messages are read. */
export type UnreadJson = {
  thread_id: string
  reader: string
  cursor: number
  messages: MessageJson[]
  up_to: number
  more: boolean
  blocked: ThreadBlockJson | null
}
export type ContinueThreadJson = { why?: string }
/** `continued` is false when the thread was not blocked. */
export type ContinuedJson = { continued: boolean; thread: ThreadDetailJson }
