// Owns finding, making and removing tasks on behalf of other rooms.
import { HoldfastError } from '../../../domain/errors.ts'
import type { RunId, TaskId } from '../../../domain/names/ids.ts'
import type { Config } from '../../../domain/settings/config.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { CreateRequest } from '../../starting/create-request.ts'
import { createTask } from '../../starting/create-task.ts'
import { checkDepth, isBelow, taskAtWorkIn, taskOfRun } from '../../starting/parent-task.ts'
import { existingTask } from '../../task/existing-task.ts'
import { findTask } from '../../task/find-task.ts'
import { removeTask } from '../../upkeep/remove-task.ts'
import type { DeskNeeds } from '../needs.ts'

export const tasksDesk = (core: DeskNeeds) => ({
  /** Finds a task by its id, its name, a part of its id that no other task's id has, or `last`; a runtime by its id, `<role>@<workspace>` or pane. */
  find: (text: string): Promise<Task> => findTask(core.store, text),

  /** The task as it is stored now. Throws TASK_NOT_FOUND when it was removed. */
  get: (id: TaskId): Promise<Task> => existingTask(id, core),

  /** The same; undefined when it was removed. */
  getIfExists: (id: TaskId): Promise<Task | undefined> => core.store.task(id),

  /** The task that this run belongs to. Throws RECURSION_REFUSED for a run that is over, or that this store does not know. */
  ofRun: (run: RunId): Promise<Task> => taskOfRun(run, core),

  /** The same; undefined for a run that is over, or belongs to another home. */
  atWorkIn: (run: RunId): Promise<Task | undefined> => taskAtWorkIn(run, core),

  /** Whether the run's task started this one, or one above it. */
  isBelow: (task: Task, run: RunId): Promise<boolean> => isBelow(task, run, core),

  /** What its agent was started with; empty when it has ended. */
  envOf: (task: Task): Promise<Readonly<Record<string, string>>> => core.handoff.env(task),

  /** Throws RECURSION_REFUSED when the task may not start others. `most`: how many generations of tasks may follow a person's task. */
  checkDepth: (parent: Task, most: number): Promise<void> => checkDepth(parent, most, core),

  create: (request: CreateRequest, config: Config): Promise<Task> => createTask(request, config, core),

  /** Removes an ended task for ever, and returns it as it was. RUNTIME_STANDS for the task of a runtime. */
  async remove(id: TaskId, by: string): Promise<Task> {
    const runtime = await core.store.runtimeOfTask(id)
    if (runtime !== undefined)
      throw new HoldfastError(
        'RUNTIME_STANDS',
        `${id} is the runtime ${runtime.agentId}: it is removed as such.`,
      )
    return await removeTask(id, by, core)
  },

  /** Resolves when all tasks that could start by now were started. */
  whenScheduled: (): Promise<void> => core.whenScheduled(),
})
