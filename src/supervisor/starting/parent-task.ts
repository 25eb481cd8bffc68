// Owns which tasks may start tasks: recursion is refused, except as deep as `recursion.depth` allows.
import { HoldfastError } from '../../domain/errors.ts'
import { asRunId } from '../../domain/names/ids.ts'
import { printable } from '../../domain/names/names.ts'
import { isOver } from '../../domain/run/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import { existingTask } from '../task/existing-task.ts'

/** The task of an open run. Refuses a run that is over or belongs to another home: what is left of it starts nothing. */
export async function taskOfRun(run: string, core: Reads<RunReads & TaskReads>): Promise<Task> {
  const task = await taskAtWorkIn(run, core)
  if (task === undefined)
    throw refused(
      `the variable HOLDFAST_RUN names run ${printable(run, 60)}, which has ended or belongs to another home. Unset it if you are not an agent`,
    )
  return task
}

/** Undefined for a run that is over, or belongs to another home. */
export async function taskAtWorkIn(
  run: string,
  core: Reads<RunReads & TaskReads>,
): Promise<Task | undefined> {
  const found = await core.store.run(asRunId(run))
  return found === undefined || isOver(found.state) ? undefined : await existingTask(found.taskId, core)
}

/** Whether the run's task is the parent of this one, or above that. */
export async function isBelow(
  { parentId }: Pick<Task, 'parentId'>,
  run: string,
  core: Reads<RunReads & TaskReads>,
): Promise<boolean> {
  const above = await taskAtWorkIn(run, core)
  let up = above === undefined ? null : parentId
  while (up !== null && up !== above?.id) up = (await core.store.task(up))?.parentId ?? null
  return up !== null
}

/** `most` is how many generations of tasks may follow one that a person started. */
export async function checkDepth(parent: Task, most: number, core: Reads<TaskReads>): Promise<void> {
  if (most === 0) throw refused(`tasks may not start tasks (recursion.depth is 0)`)
  if ((await generationOf(parent, most, core)) >= most)
    throw refused(
      `${parent.id} was itself started by a task, and tasks may start tasks only ${most} deep (recursion.depth)`,
    )
}

/** 0 for a task that a person started. Counts no further than `most`. */
async function generationOf(task: Task, most: number, { store }: Reads<TaskReads>): Promise<number> {
  let generation = 0
  for (let up = task.parentId; up !== null && generation < most; generation++)
    up = (await store.task(up))?.parentId ?? null
  return generation
}

const refused = (why: string) => new HoldfastError('RECURSION_REFUSED', `No task was started: ${why}.`)
