// Owns how the durable readers of the journal, and the events that they set aside, go over the wire.
import type { ElsewhereJson } from './daemon-json.ts'

/** `missed`: of the last week. */
export type JournalJson = { subscribers: SubscriberJson[]; set_aside: SetAsideJson[]; missed: MissedJson[] }
export type SubscriberJson = {
  /** With its node where it is one of another daemon: `unread@4f0b…`. */
  name: string
  behind: number
  set_aside: number
  holds_pruning: boolean
  /** Of one of another daemon on the same store: only those are told that hold up pruning, or whose daemon is silent. */
  elsewhere: ElsewhereJson | null
}
export type SetAsideJson = {
  /** Names it for `POST /api/journal/drop`. */
  id: string
  subscriber: string
  kind: string
  session_id: string | null
  seq: number
  at: string
  /** Null for one that only waits behind another one of its session. */
  why: string | null
}
export type MissedJson = { at: string; what: string }
/** What needs a look, in short. */
export type JournalTroubleJson = { set_aside: number; held_by: string[]; missed: MissedJson[] }
