// Owns what the journal can hold: every kind of event with its data. What each tells is in event-texts.ts.

import type { NodeId, OrderId, RunId, RuntimeId, TaskId, ThreadId, TriggerId } from '../names/ids.ts'
import type { RuntimeBefore, RuntimeEvent, RuntimeState } from '../runtime/machine.ts'
import type { ChildNews } from '../task/child-news.ts'
import type { RestartOrder } from '../task/go-on.ts'
import type { Input } from '../task/input.ts'
import type { Phase, TaskEvent, TaskStatus } from '../task/machine.ts'
import type { OrderKind, OrderState } from '../task/order.ts'
import type { StopOrder } from '../task/task.ts'
import type { Block, MessageKind } from '../thread/thread.ts'
import type { TriggerCode } from '../trigger/codes.ts'
import type { TriggerEvent, TriggerState } from '../trigger/machine.ts'
import type { Caused } from './cause.ts'

type TaskMoved = {
  readonly status: TaskStatus
  readonly phase: Phase | null
  readonly reason: string
  readonly run_id: RunId | null
}
type OrderPlaced<Kind extends string> = { readonly kind: Kind; readonly by: string; readonly reason: string }
type SessionTold = { readonly session_id: string; readonly run_id: RunId }
type TriggerMoved = {
  readonly trigger_id: TriggerId
  readonly thread: string | null
  readonly agent_id: string | null
  /** The state before; null for a new one. */
  readonly from: TriggerState | null
  readonly state: TriggerState
  readonly code: TriggerCode | null
}
type DiskUse = { readonly bytes: number; readonly warn_at: number }
type Check = { readonly check: string; readonly ok: boolean; readonly why: string | null }
type OfRuntime = { readonly runtime_id: RuntimeId; readonly agent_id: string }
type Nothing = Readonly<Record<never, never>>

/** Kind → data. Field names are public: they are what `GET /api/events` sends. */
export type JournalEvents = { readonly [Event in TaskEvent as `task_${Event}`]: TaskMoved } & {
  readonly [Event in TriggerEvent as `trigger_${Event}`]: TriggerMoved
} & {
  readonly task_archived: { readonly status: TaskStatus }
  readonly task_removed: { readonly status: TaskStatus }
  readonly trigger_forced: { readonly trigger_id: TriggerId; readonly by: string; readonly reason: string }
  readonly stop_ordered: OrderPlaced<StopOrder['kind']>
  readonly restart_ordered: OrderPlaced<RestartOrder['kind']>
  readonly order_given: { readonly id: OrderId; readonly kind: OrderKind; readonly by: string }
  readonly order_settled: { readonly id: OrderId; readonly kind: OrderKind; readonly state: OrderState }
  readonly input_queued: { readonly number: number; readonly kind: Input['kind']; readonly by: string }
  readonly input_said: { readonly number: number; readonly kind: Input['kind']; readonly run_id: RunId }
  readonly input_heard: { readonly number: number; readonly run_id: RunId }
  readonly question_added: { readonly run_id: RunId }
  readonly questions_closed: { readonly numbers: readonly number[] }
  readonly question_answered: {
    readonly number: number
    readonly option?: number | null
    readonly by: string
  }
  readonly agent_session: SessionTold
  readonly session_refused: SessionTold
  readonly usage_reported: {
    readonly run_id: RunId
    readonly tokens_in: number
    readonly tokens_out: number
    readonly cost_usd: number
  }
  readonly hook_violation: { readonly run_id: RunId; readonly what: readonly string[] }
  readonly result_submitted: { readonly run_id: RunId | null; readonly bytes: number }
  readonly bridge_up: { readonly run_id: RunId }
  readonly bridge_absent: { readonly run_id: RunId }
  readonly result_refused: { readonly why: string }
  readonly verified: { readonly verified: boolean; readonly checks: readonly Check[] }
  readonly escalation: { readonly reason: string }
  readonly quota_warning: DiskUse
  readonly quota_warning_total: DiskUse
  readonly orphan_found: { readonly what: string } & Readonly<Record<string, unknown>>
  readonly orphan_ended: { readonly run: RunId; readonly processes: number }
  readonly child_news: { readonly child: TaskId; readonly what: ChildNews }
  readonly delivery_set_aside: { readonly channel: string; readonly delivery: string; readonly why: string }
  /** `event`: the one that was set aside. */
  readonly event_set_aside: {
    readonly subscriber: string
    readonly event: {
      readonly node: NodeId
      readonly seq: number
      readonly kind: string
      readonly task: TaskId | null
    }
    readonly why: string
  }
  readonly subscriber_missed_events: { readonly subscriber: string; readonly missed: number | null }
  readonly pruning_held: { readonly subscribers: readonly string[] }
  readonly thread_created: { readonly thread: ThreadId; readonly title: string; readonly by: string }
  readonly message_posted: {
    readonly thread: ThreadId
    readonly number: number
    readonly author: string
    readonly kind: MessageKind
  }
  readonly cursor_moved: { readonly thread: ThreadId; readonly reader: string; readonly number: number }
  readonly thread_blocked: {
    readonly thread: ThreadId
    readonly code: Block['code']
    readonly why: string
  }
  readonly thread_continued: { readonly thread: ThreadId; readonly by: string; readonly why: string | null }
  readonly gate_closed: {
    readonly key: string
    readonly kind: string
    readonly reason: string
    readonly until: number
    readonly canary: TaskId | null
  }
  readonly gate_opened: { readonly key: string }
  readonly runtime_registered: OfRuntime & { readonly target: string }
  readonly runtime_moved: OfRuntime & {
    readonly from: RuntimeBefore
    readonly to: RuntimeState
    readonly event: RuntimeEvent
    readonly reason: string
  }
  readonly runtime_removed: OfRuntime
  readonly operator_left: OfRuntime
  readonly registry_drift: OfRuntime & { readonly what: string }
  readonly server_died: { readonly deaths: number }
  readonly server_started: Nothing
  readonly server_given_up: { readonly deaths: number; readonly retryAt: number }
  readonly server_unavailable: { readonly why: string }
  readonly server_hung: Nothing
  readonly server_answers: Nothing
}
export type EventKind = keyof JournalEvents

/** An event to be appended. `at`: epoch ms. `taskId`: null for an event that concerns no single task. */
export type EventDraft<Kind extends EventKind = EventKind> = {
  [One in Kind]: {
    readonly kind: One
    readonly at: number
    readonly taskId: TaskId | null
    readonly data: JournalEvents[One]
  }
}[Kind]

/** An event of the journal. `seq` counts the events of its node: 1, 2, 3… without gaps, in the order of their commits. */
export type JournalEvent<Kind extends EventKind = EventKind> = EventDraft<Kind> &
  Caused & {
    readonly seq: number
    readonly nodeId: NodeId
  }
