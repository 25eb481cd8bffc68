// Owns what a notice is: one thing that people are told outside of Holdfast, by one channel; and a delivery, by which a
// channel is told of one or more of them at once.
import type { NodeId, RunId, TaskId } from '../names/ids.ts'

export const NOTICE_KINDS = [
  'completion',
  'failure',
  'question',
  'limit',
  'stuck',
  'escalation',
  'progress',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** What is told first, where there is much to tell. */
export const BY_URGENCY: readonly NoticeKind[] = [
  'question',
  'escalation',
  'failure',
  'stuck',
  'limit',
  'completion',
  'progress',
]

/** What a rule is for that names no events. Progress is told only to those who ask for it. */
export const USUAL_KINDS: readonly NoticeKind[] = NOTICE_KINDS.filter((kind) => kind !== 'progress')

/** The words are kept as they were when it happened; secrets are removed from them. Times are epoch ms. */
export type NoticeDraft = {
  /** The same event makes the same id, so that it is there once. */
  readonly id: string
  readonly channel: string
  readonly kind: NoticeKind
  readonly taskId: TaskId | null
  /** The question that it tells of: its number, and the run that asked it. */
  readonly question: number | null
  readonly runId: RunId | null
  readonly title: string
  readonly text: string
  readonly options: readonly string[]
  readonly at: number
}

export type Notice = NoticeDraft & {
  /** The node that tells of it. */
  readonly nodeId: NodeId
  /** Null until it is bound to a delivery. */
  readonly deliveryId: string | null
  /** Why nobody is told any more; null for all others. */
  readonly dropped: string | null
}

/** `set_aside`: it will never work as it is, or was tried for too long. */
export type DeliveryState = 'waiting' | 'sent' | 'set_aside'

export type Delivery = {
  /** Sent along, so that a receiver who gets it twice knows. */
  readonly id: string
  readonly channel: string
  /** The node that sends it. */
  readonly nodeId: NodeId
  readonly state: DeliveryState
  readonly tries: number
  readonly nextAt: number
  readonly createdAt: number
  readonly settledAt: number | null
  /** Why the last try failed. */
  readonly error: string | null
  /** Of a channel with several receivers: those who have it. */
  readonly taken: readonly string[]
}

/** How a notice is told where there is room for one line. */
export const lineOf = (notice: { readonly title: string; readonly sessionId: string | null }) =>
  notice.sessionId === null ? notice.title : `${notice.title} (${notice.sessionId})`
