// Owns finding, making and removing tasks on behalf of others.
import type { RunId, TaskId } from '../../domain/names/ids.ts'
import type { Config } from '../../domain/settings/config.ts'
import type { Task } from '../../domain/task/task.ts'
import { type CreateRequest, createTask } from '../starting/create-task.ts'
import { checkDepth, taskOfRun } from '../starting/parent-task.ts'
import { existingTask } from '../task/existing-task.ts'
import { findTask } from '../task/find-task.ts'
import { removeTask } from '../upkeep/remove-task.ts'
import type { DeskNeeds } from './needs.ts'

export const tasksDesk = (core: DeskNeeds) => ({
  /** By its id, its name, a part of its id that no other has, or `last`. */
  find: (text: string): Promise<Task> => findTask(core.store, text),

  /** As it is stored now. TASK_NOT_FOUND when it was removed. */
  get: (id: TaskId): Promise<Task> => existingTask(id, core),

  /** The task at work in this run. RECURSION_REFUSED for a run that is over, or belongs to another home. */
  ofRun: (run: RunId): Promise<Task> => taskOfRun(run, core),

  /** What its agent was started with; empty when it has ended. */
  envOf: (task: Task): Promise<Readonly<Record<string, string>>> => core.handoff.env(task),

  /** RECURSION_REFUSED where the task may not start others. `most`: how many generations may follow a person's task. */
  checkDepth: (parent: Task, most: number): Promise<void> => checkDepth(parent, most, core),

  create: (request: CreateRequest, config: Config): Promise<Task> => createTask(request, config, core),

  /** Forgets an ended task for ever. What it was. */
  remove: (id: TaskId, by: string): Promise<Task> => removeTask(id, by, core),

  /** Resolves when all that could start by now was started. */
  whenScheduled: (): Promise<void> => core.whenScheduled(),
})
