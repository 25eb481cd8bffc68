// Owns which columns are read of a task, and what is made of them.
import type { Selectable } from 'kysely'
import { askedBy } from '../../domain/conversation/holdfast-question.ts'
import type { AskedBy } from '../../domain/task/question.ts'
import { type StoredState, stateOf, type TaskState } from '../../domain/task/state.ts'
import {
  PRIORITIES,
  type Priority,
  type StopOrder,
  type TaskFacts,
  type TaskRow,
  type TaskSummary,
} from '../../domain/task/task.ts'
import type { TaskTable } from '../database/schema.ts'

/** Everything but the snapshot, which can be large. */
export const SUMMARY = [
  'id',
  'name',
  'title',
  'nodeId',
  'status',
  'phase',
  'phaseUntil',
  'agent',
  'role',
  'model',
  'mode',
  'workspaceId',
  'project',
  'dir',
  'priority',
  'tags',
  'meta',
  'parentId',
  'createdBy',
  'createdAt',
  'startedAt',
  'endedAt',
  'maxDurationMs',
  'workedMs',
  'exitCode',
  'exitSignal',
  'reason',
  'runId',
  'sessionId',
  'tokensIn',
  'tokensOut',
  'costUsd',
  'sessionUsage',
  'stop',
  'hookViolations',
  'retries',
  'goOn',
  'restart',
  'account',
  'gate',
  'waitsFor',
  'question',
  'archivedAt',
  'verification',
  'runtime',
] as const satisfies readonly (keyof TaskFacts | keyof StoredState)[]

export const ROW = [
  'id',
  'name',
  'title',
  'agent',
  'role',
  'parentId',
  'status',
  'phase',
  'phaseUntil',
  'goOn',
  'gate',
  'waitsFor',
  'question',
  'account',
  'createdAt',
  'startedAt',
  'endedAt',
  'stop',
  'project',
  'costUsd',
  'runtime',
  'nodeId',
] as const satisfies readonly (keyof TaskRow | keyof StoredState)[]
type ValuesOf<Names extends readonly (keyof TaskTable)[]> = { [N in keyof Names]: TaskTable[Names[N]] }
export type RowValues = [...ValuesOf<typeof ROW>, askedRef: string | null]

export const rowOf = ([
  id,
  name,
  title,
  agent,
  role,
  parentId,
  status,
  phase,
  phaseUntil,
  goOn,
  gate,
  waitsFor,
  question,
  account,
  createdAt,
  startedAt,
  endedAt,
  stop,
  project,
  costUsd,
  runtime,
  nodeId,
  askedRef,
]: RowValues): TaskRow => ({
  ...readState({ status, phase, phaseUntil, goOn, gate, waitsFor, question }),
  id,
  name,
  title,
  agent,
  role,
  parentId,
  account,
  createdAt,
  startedAt,
  endedAt,
  stop: stopOf(stop),
  project,
  costUsd,
  runtime,
  nodeId,
  askedBy: askerOf(question, askedRef),
})

/** `question`: the one that the task waits for, `ref`: as it is stored with it. */
export const askerOf = (question: number | null, ref: string | null): AskedBy | null =>
  question === null ? null : askedBy({ ref })

export function summaryOf(row: Pick<Selectable<TaskTable>, (typeof SUMMARY)[number]>): TaskSummary {
  const { status, phase, phaseUntil, goOn, gate, waitsFor, question, ...facts } = row
  return {
    ...facts,
    ...readState({ status, phase, phaseUntil, goOn, gate, waitsFor, question }),
    priority: priorityOf(row.priority),
    tags: JSON.parse(row.tags),
    meta: JSON.parse(row.meta),
    stop: stopOf(row.stop),
    hookViolations: JSON.parse(row.hookViolations),
    restart: jsonOf(row.restart),
    verification: jsonOf(row.verification),
    sessionUsage: jsonOf(row.sessionUsage),
  }
}

const readState = (row: Pick<Selectable<TaskTable>, keyof StoredState>): TaskState =>
  stateOf({ ...row, goOn: jsonOf(row.goOn), waitsFor: jsonOf(row.waitsFor) })

const names = new Map(Object.entries(PRIORITIES).map(([name, rank]) => [rank as number, name as Priority]))
const priorityOf = (rank: number) => names.get(rank) ?? 'normal'

const jsonOf = <T>(json: string | null): T | null => (json === null ? null : JSON.parse(json))
const stopOf = (json: string | null) => jsonOf<StopOrder>(json)
