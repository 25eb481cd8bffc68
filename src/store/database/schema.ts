// Owns the tables as Kysely sees them; the migrations create them. Flags are 0 and 1, times are epoch milliseconds, JSON is
// text.

import type { Generated } from 'kysely'
import type { JournalEvent } from '../../domain/journal/events.ts'
import type { NodeId, ThreadId } from '../../domain/names/ids.ts'
import type { Delivery, Notice } from '../../domain/notify/notice.ts'
import type { Runtime, RuntimeTransition } from '../../domain/runtime/runtime.ts'
import type { Input, TriggerStep } from '../../domain/task/input.ts'
import type { Order } from '../../domain/task/order.ts'
import type { Question } from '../../domain/task/question.ts'
import type { Run } from '../../domain/task/run.ts'
import type { StoredState } from '../../domain/task/state.ts'
import type { Snapshot, TaskFacts } from '../../domain/task/task.ts'
import type { Workspace } from '../../domain/task/workspace.ts'
import type { Block, Message, ReadCursor, Thread } from '../../domain/thread/thread.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { Gate } from '../../ports/store/gates.ts'
import type { OutboxRow } from '../../ports/store/outbox.ts'
import type { KeyedRequest } from '../../ports/store/request-keys.ts'
import type { Transition } from '../../ports/store/tasks.ts'

type Stored<Row, Json extends keyof Row> = {
  [Column in keyof Row]: Column extends Json ? string | Extract<Row[Column], null> : Row[Column]
}

export type TaskTable = Omit<
  Stored<
    TaskFacts & StoredState & { snapshot: Snapshot },
    | 'tags'
    | 'meta'
    | 'stop'
    | 'snapshot'
    | 'hookViolations'
    | 'goOn'
    | 'waitsFor'
    | 'restart'
    | 'verification'
    | 'sessionUsage'
  >,
  'priority'
> & {
  /** The priority as a number, so that it can be sorted by. */
  priority: number
  /** How many transitions the task has. */
  moves: number
  tidied: 0 | 1
}
export type RunTable = Stored<Run, 'result' | 'steps'> & { nodeId: NodeId }
export type OrderTable = Stored<Order, 'outcome'>
/** A draft names only what it has. */
export type InputTable = Omit<Input, 'framed'> & { framed: Generated<Input['framed']> }
export type QuestionTable = Stored<Question, 'options'>
export type TransitionTable = Omit<Stored<Transition, 'evidence'>, 'from' | 'to'> & {
  fromStatus: Transition['from']
  toStatus: Transition['to']
}
export type ThreadTable = Omit<Thread, 'blocked'> & {
  state: 'open' | 'blocked'
  blockedCode: Block['code'] | null
  blockedWhy: string | null
  blockedAt: number | null
}
export type NoticeTable = Stored<Notice, 'options'>
export type DeliveryTable = Stored<Delivery, 'taken'>
export type MessageTable = Stored<Message, 'refs'>

export type RuntimeTransitionTable = Omit<Stored<RuntimeTransition, 'evidence'>, 'from' | 'to'> & {
  fromState: RuntimeTransition['from']
  toState: RuntimeTransition['to']
}

export type Tables = {
  tasks: TaskTable
  /** `createdAt` is that of the task, so that the tasks of a tag are found in the order of the list. */
  taskTags: { tag: string; taskId: TaskFacts['id']; createdAt: number }
  requestKeys: KeyedRequest
  taskTransitions: TransitionTable
  runs: RunTable
  inputs: InputTable
  triggerSteps: Stored<TriggerStep, 'evidence'>
  /** How many triggers were made on each day, in UTC. */
  triggerDays: { day: string; last: number }
  questions: QuestionTable
  events: Omit<JournalEvent, 'data' | 'cause'> & {
    data: string
    causeNode: NodeId | null
    causeSeq: number | null
  }
  counters: { nodeId: NodeId; name: string; value: number }
  journal: { generation: string }
  subscribers: { name: string; epoch: number; at: number; place: string }
  setAside: {
    subscriber: string
    nodeId: NodeId
    seq: number
    at: number
    error: string | null
    event: string
  }
  audit: AuditEntry & { id: Generated<number> }
  orders: OrderTable
  gates: Stored<Gate, 'failed'> & { nodeId: NodeId }
  threads: ThreadTable
  threadMembers: { threadId: ThreadId; member: string }
  messages: MessageTable
  readCursors: ReadCursor & { threadId: ThreadId }
  outbox: OutboxRow
  notices: NoticeTable
  deliveries: DeliveryTable
  cursors: { name: string; seq: number; at: number }
  workspaces: Workspace
  /** `moves`: how many transitions the runtime has. */
  runtimes: Runtime & { moves: number }
  runtimeTransitions: RuntimeTransitionTable
  nodes: { id: NodeId; host: string; pid: number; version: string; epoch: number; openedAt: number }
  /** `at`: by the clock of the store. */
  nodeSigns: { nodeId: NodeId; at: number }
  migrations: { number: number; name: string; appliedAt: number }
}
