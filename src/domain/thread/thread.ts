// Owns what a thread is: a conversation of agents and people, its messages, and how far each reader has come.
import type { ThreadId, WorkspaceId } from '../names/ids.ts'

/** `message`: anything. `finding`: something that was found out. `status`: how far one is. `result`: what came of it. */
export const MESSAGE_KINDS = ['message', 'finding', 'status', 'result'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** Why agents may not post to a thread any more, until it is continued. */
export type Block = { readonly code: 'THREAD_AUTO_BLOCKED'; readonly why: string; readonly at: number }

export type Thread = {
  readonly id: ThreadId
  readonly title: string
  readonly workspaceId: WorkspaceId | null
  /** A participant: see participant.ts. */
  readonly createdBy: string
  readonly createdAt: number
  /** The creator's idempotency key. */
  readonly key: string | null
  /** Null while agents may post. */
  readonly blocked: Block | null
  /** The number of its last message; they are counted 1, 2, 3… without gaps. */
  readonly lastNumber: number
  /** When that was posted; null before the first one. */
  readonly lastAt: number | null
  /** Messages of agents since something last came of the thread. */
  readonly turnsWithoutProgress: number
  /** The last message before which the safeguard looks at nothing: a person spoke, or continued the thread. */
  readonly guardedAfter: number
}

export type Message = {
  readonly threadId: ThreadId
  readonly number: number
  readonly author: string
  readonly kind: MessageKind
  /** What it is about: files, sessions, commits, addresses. */
  readonly refs: readonly string[]
  readonly text: string
  readonly at: number
  /** The author's idempotency key. */
  readonly key: string | null
  /** Findings alone have one. */
  readonly fingerprint: string | null
}

/** How far a reader has come: it is done with the messages up to this number. */
export type ReadCursor = { readonly reader: string; readonly number: number; readonly at: number }
