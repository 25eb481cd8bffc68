// Owns the tables as Kysely sees them; the migrations make them. Flags are 0 and 1, times epoch milliseconds, JSON text.

import type { Generated } from 'kysely'
import type { NodeId } from '../domain/ids.ts'
import type { Input, Question, Run, Task, Workspace } from '../domain/task.ts'
import type { StoredEvent, Transition } from '../ports/store.ts'
import type { AuditEntry, Gate } from '../ports/store-changes.ts'

type Stored<Row, Json extends keyof Row> = {
  [Column in keyof Row]: Column extends Json ? string | Extract<Row[Column], null> : Row[Column]
}

export type TaskTable = Omit<
  Stored<
    Task,
    | 'tags'
    | 'meta'
    | 'stop'
    | 'snapshot'
    | 'hookViolations'
    | 'goOn'
    | 'restart'
    | 'verification'
    | 'sessionUsage'
  >,
  'priority'
> & {
  /** A number that sorts. */
  priority: number
  /** How many transitions it has. */
  moves: number
  tidied: 0 | 1
}
export type RunTable = Stored<Run, 'result' | 'steps'> & { nodeId: NodeId }
export type QuestionTable = Stored<Question, 'options'>
export type TransitionTable = Omit<Stored<Transition, 'evidence'>, 'from' | 'to'> & {
  fromStatus: Transition['from']
  toStatus: Transition['to']
}

export type Tables = {
  tasks: TaskTable
  taskTags: { tag: string; taskId: Task['id'] }
  taskTransitions: TransitionTable
  runs: RunTable
  inputs: Input
  questions: QuestionTable
  events: Stored<StoredEvent, 'data'>
  counters: { name: string; value: number }
  audit: AuditEntry & { id: Generated<number> }
  gates: Gate & { nodeId: NodeId }
  cursors: { name: string; seq: number; at: number }
  workspaces: Workspace
  nodes: { id: NodeId; host: string; pid: number; version: string; epoch: number; openedAt: number }
  migrations: { number: number; name: string; appliedAt: number }
}
