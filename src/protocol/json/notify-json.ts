// Owns how channels and notices go over the wire.
import type { DeliveryState, NoticeKind } from '../../domain/notify/notice.ts'

export type ChannelJson = {
  name: string
  type: string
  can_answer: boolean
  problem: string | null
  waiting: number
  set_aside: number
  last_sent_at: string | null
  last_error: string | null
}

export type NoticeJson = {
  id: string
  channel: string
  kind: NoticeKind
  session_id: string | null
  question: number | null
  title: string
  at: string
  /** `held`: not sent yet, and not bound to a delivery. */
  state: DeliveryState | 'held' | 'dropped'
  delivery_id: string | null
  tries: number
  /** When it is tried again, for one that waits. */
  next_at: string | null
  sent_at: string | null
  /** Why it is not told, or not yet. */
  why: string | null
}

export type NoticeLogJson = { notices: NoticeJson[]; next: string | null }
export type NotifyTestedJson = { channel: string; id: string }
