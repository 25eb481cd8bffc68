import { asNodeId, asWorkspaceId } from '../../src/domain/names/ids.ts'
import { isEnded } from '../../src/domain/task/machine.ts'
import type { TaskState } from '../../src/domain/task/state.ts'
import type { Snapshot, Task, TaskFacts } from '../../src/domain/task/task.ts'
import type { TaskDraft } from '../../src/ports/store/tasks.ts'
import { NOON, RUN_ID, TASK_ID } from './ids.ts'
import { inPhase } from './phases.ts'

/** How a task stands is no part of this: `phases.ts` has it. */
export type TaskChanges = Partial<TaskFacts> & { snapshot?: Partial<Snapshot> }

/** A task at work, or as `state` says, with what the test cares about changed. */
export function aTask(state: TaskState, changes?: TaskChanges): Task
export function aTask(changes?: TaskChanges): Task
export function aTask(first: TaskState | TaskChanges = {}, second: TaskChanges = {}): Task {
  const [state, changes] = 'status' in first ? [first, second] : [inPhase.working(), first]
  return {
    ...aTaskDraft(),
    nodeId: asNodeId('node-a'),
    startedAt: NOON,
    endedAt: isEnded(state.status) ? NOON + 60_000 : null,
    workedMs: 0,
    exitCode: null,
    exitSignal: null,
    reason: null,
    runId: RUN_ID,
    sessionId: null,
    tokensIn: 0,
    tokensOut: 0,
    costUsd: 0,
    sessionUsage: null,
    stop: null,
    hookViolations: [],
    retries: 0,
    restart: null,
    archivedAt: null,
    verification: null,
    ...changes,
    ...state,
    snapshot: aSnapshot(changes.snapshot),
  }
}

/** As it is when it was just created. */
export const aNewTask = (changes: TaskChanges = {}): Task =>
  aTask(inPhase.queued(), { startedAt: null, runId: null, ...changes })

/** The same task, in another state. */
export const moved = (task: Task, state: TaskState, changes: TaskChanges = {}): Task =>
  aTask(state, { ...task, ...changes })

type DraftChanges = Partial<Omit<TaskDraft, 'snapshot'>> & { snapshot?: Partial<Snapshot> }

export const aTaskDraft = (changes: DraftChanges = {}): TaskDraft => ({
  id: TASK_ID,
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
  runtime: null,
  ...changes,
  snapshot: aSnapshot(changes.snapshot),
})

export const aSnapshot = (changes: Partial<Snapshot> = {}): Snapshot => ({
  prompt: 'say hello',
  persona: null,
  restrictions: [],
  permission: 'default',
  extraDirs: [],
  killGraceMs: 10,
  closePane: true,
  envNames: [],
  ...changes,
})
