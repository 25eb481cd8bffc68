// Owns the tables as Kysely sees them; the migrations create them. Flags are 0 and 1, times are epoch milliseconds, JSON is
// text.

import type { Generated } from 'kysely'
import type { JournalEvent } from '../../domain/journal/events.ts'
import type { NodeId } from '../../domain/names/ids.ts'
import type { Runtime, RuntimeTransition } from '../../domain/runtime/runtime.ts'
import type { Order } from '../../domain/task/order.ts'
import type { StoredState } from '../../domain/task/state.ts'
import type { Input, Question, Run, Snapshot, TaskFacts, Workspace } from '../../domain/task/task.ts'
import type { Transition } from '../../ports/store.ts'
import type { AuditEntry, Gate } from '../../ports/store-changes.ts'

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
export type QuestionTable = Stored<Question, 'options'>
export type TransitionTable = Omit<Stored<Transition, 'evidence'>, 'from' | 'to'> & {
  fromStatus: Transition['from']
  toStatus: Transition['to']
}

export type RuntimeTransitionTable = Omit<Stored<RuntimeTransition, 'evidence'>, 'from' | 'to'> & {
  fromState: RuntimeTransition['from']
  toState: RuntimeTransition['to']
}

export type Tables = {
  tasks: TaskTable
  /** `createdAt` is that of the task, so that the tasks of a tag are found in the order of the list. */
  taskTags: { tag: string; taskId: TaskFacts['id']; createdAt: number }
  taskTransitions: TransitionTable
  runs: RunTable
  inputs: Input
  questions: QuestionTable
  events: Omit<JournalEvent, 'data'> & { data: string }
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
  cursors: { name: string; seq: number; at: number }
  workspaces: Workspace
  /** `moves`: how many transitions the runtime has. */
  runtimes: Runtime & { moves: number }
  runtimeTransitions: RuntimeTransitionTable
  nodes: { id: NodeId; host: string; pid: number; version: string; epoch: number; openedAt: number }
  migrations: { number: number; name: string; appliedAt: number }
}
