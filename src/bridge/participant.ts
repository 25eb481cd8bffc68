// Owns who somebody is in a thread: told by the caller alone, never by what a request says. And the other way round: whose
// task a name in a thread means.
import { HoldfastError, isHoldfastError } from '../domain/errors.ts'
import type { Caller } from '../domain/task/caller.ts'
import type { Task } from '../domain/task/task.ts'
import { isPersonName, nameOfTask, personNamed, taskIdIn } from '../domain/thread/participant.ts'
import type { Actor, Desk } from '../supervisor/desk.ts'

export type Participant = {
  readonly name: string
  /** Null for a person. */
  readonly task: Task | null
  /** For the record. */
  readonly actor: Actor
}

/** NOT_ALLOWED_FOR_RUN for a run that is over, or that belongs to another home. */
export async function participantOf(caller: Caller, { tasks }: Pick<Desk, 'tasks'>): Promise<Participant> {
  if (caller.kind !== 'run')
    return { name: personNamed(caller.name), task: null, actor: { name: caller.name, taskId: null } }
  const task = await tasks.atWorkIn(caller.run)
  if (task === undefined)
    throw new HoldfastError(
      'NOT_ALLOWED_FOR_RUN',
      `A run that is not running here may not use threads (${caller.name}).`,
    )
  return { name: nameOfTask(task), task, actor: { name: caller.name, taskId: task.id } }
}

/** Undefined for a person, for a runtime that nobody has started, and for a task that was removed. */
export async function taskOf(
  name: string,
  { tasks, runtimes }: Pick<Desk, 'tasks' | 'runtimes'>,
): Promise<Task | undefined> {
  if (isPersonName(name)) return undefined
  try {
    return await tasks.get(taskIdIn(name) ?? (await runtimes.find(name)).taskId)
  } catch (error) {
    if (isHoldfastError(error, 'TASK_NOT_FOUND', 'RUNTIME_NOT_FOUND')) return undefined
    throw error
  }
}
