// Tasks, moves and runs with sensible values; tests name only what they are about.
import { asNodeId, asRunId, asTaskId, asWorkspaceId, type TaskId } from '../../src/domain/names/ids.ts'
import { type TaskEvent, type TaskStatus, taskTransitions } from '../../src/domain/task/machine.ts'
import type { Task, Workspace } from '../../src/domain/task/task.ts'
import type { Store } from '../../src/ports/store.ts'
import type {
  AuditEntry,
  InputDraft,
  QuestionDraft,
  Reading,
  RunDraft,
  TaskDraft,
  TaskMove,
} from '../../src/ports/store-changes.ts'
import { moveTask } from '../../src/supervisor/kernel/changes.ts'
import { createTask } from './writes.ts'

export const NOON = 1_763_467_200_000
export const clock = { now: () => NOON }
export const nodeFacts = (id = 'node-a') => ({ id: asNodeId(id), host: 'host', pid: 4711, version: '0.1.0' })
export const taskId = (name: string) => asTaskId(`20251118-120000-${name}`)

export const draftOf = (name: string, over: Partial<TaskDraft> = {}): TaskDraft => ({
  id: taskId(name),
  name: null,
  title: 'say hello',
  agent: 'scripted',
  role: null,
  model: null,
  mode: 'headless',
  workspaceId: asWorkspaceId('workspace'),
  project: '/project',
  dir: '/project',
  priority: 'normal',
  tags: [],
  meta: {},
  parentId: null,
  account: null,
  createdBy: 'person',
  createdAt: NOON,
  maxDurationMs: null,
  snapshot: {
    prompt: 'say hello',
    persona: null,
    restrictions: [],
    permission: 'default',
    extraDirs: [],
    killGraceMs: 10,
    closePane: true,
    envNames: [],
  },
  ...over,
})

export const auditOf = (over: Partial<AuditEntry> = {}): AuditEntry => ({
  at: NOON,
  kind: 'task_created',
  taskId: null,
  actor: 'person',
  detail: '',
  ...over,
})

export const create = (store: Store, name: string, over?: Partial<TaskDraft>): Promise<Task> =>
  createTask(store, draftOf(name, over), auditOf({ taskId: taskId(name) }))

export const moveOf = (
  id: TaskId,
  from: TaskStatus,
  event: TaskEvent,
  over: Partial<TaskMove> = {},
): TaskMove => {
  const evidence = [{ source: 'store', fact: 'a test' }] as const
  const move = { id, from, event, reason: `because of ${event}`, evidence, at: NOON + 1 }
  const isForbidden = taskTransitions[from][event] === undefined
  const built = isForbidden ? { ...move, closesQuestions: false, voidsResult: false } : moveTask(move)
  return { ...built, ...over }
}

export const runOf = (id: TaskId, number = 1): RunDraft => ({
  id: asRunId(`run-${number}-of-${id}`),
  taskId: id,
  number,
  createdAt: NOON + number,
  how: 'start',
  outputLength: 0,
  inputLength: 0,
})

export const inputOf = (id: TaskId, over: Partial<InputDraft> = {}): InputDraft => ({
  taskId: id,
  kind: 'prompt',
  text: 'and now the tests',
  by: 'ann',
  at: NOON + 2,
  ...over,
})

export const questionOf = (
  { id, runId }: { id: TaskId; runId: Reading['runId'] },
  over: Partial<QuestionDraft> = {},
): QuestionDraft => ({
  taskId: id,
  runId,
  text: 'May I delete it?',
  options: ['yes', 'no'],
  ref: null,
  askedAt: NOON + 3,
  ...over,
})

/** Creates a task and launches its first run. */
export async function launch(store: Store, name: string, over?: Partial<TaskDraft>) {
  const { id } = await create(store, name, over)
  const newRun = runOf(id)
  await store.commit({ newRun, task: moveOf(id, 'pending', 'launched', { set: { runId: newRun.id } }) })
  return { id, runId: newRun.id }
}

export const readingOf = (
  { id, runId }: { id: TaskId; runId: Reading['runId'] },
  over: Partial<Reading>,
): Reading => ({
  taskId: id,
  runId,
  fromOffset: 0,
  offset: 100,
  outputLength: 40,
  unknownLines: 0,
  tokensIn: 0,
  tokensOut: 0,
  costUsd: 0,
  ...over,
})

export const workspaceOf = (id: string, slug: string, path: string): Workspace => ({
  id: asWorkspaceId(id),
  slug,
  path,
  addedAt: NOON,
  addedBy: 'person',
})
