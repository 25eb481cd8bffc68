// Stores, and tasks in them, with sensible values; tests name only what they are about.
import { asNodeId } from '../../src/domain/names/ids.ts'
import type { Task } from '../../src/domain/task/task.ts'
import type { Store } from '../../src/ports/store/store.ts'
import type { TaskDraft } from '../../src/ports/store/tasks.ts'
import { anAudit } from '../builders/audit.ts'
import { NOON, taskId } from '../builders/ids.ts'
import { aMove } from '../builders/move.ts'
import { aRunDraft } from '../builders/run.ts'
import { aTaskDraft } from '../builders/task.ts'
import { createTask } from './writes.ts'

export const clock = { now: () => NOON }
export const nodeFacts = (id = 'node-a') => ({ id: asNodeId(id), host: 'host', pid: 4711, version: '0.1.0' })

export const create = (store: Store, name: string, changes: Partial<TaskDraft> = {}): Promise<Task> =>
  createTask(store, aTaskDraft({ id: taskId(name), ...changes }), anAudit({ taskId: taskId(name) }))

/** Creates a task and launches its first run. */
export async function launch(store: Store, name: string, changes?: Partial<TaskDraft>) {
  const { id } = await create(store, name, changes)
  const newRun = aRunDraft(id)
  await store.commit({ newRun, task: aMove(id, 'pending', 'launched', { set: { runId: newRun.id } }) })
  return { id, runId: newRun.id }
}
