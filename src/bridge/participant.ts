// Owns who somebody is in a thread: told by the caller alone, never by what a request says.
import { HoldfastError } from '../domain/errors.ts'
import type { Caller } from '../domain/task/caller.ts'
import type { Task } from '../domain/task/task.ts'
import { personNamed, taskNamed } from '../domain/thread/participant.ts'
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
  if (caller.kind === 'person')
    return { name: personNamed(caller.name), task: null, actor: { name: caller.name, taskId: null } }
  const task = await tasks.atWorkIn(caller.run)
  if (task === undefined)
    throw new HoldfastError(
      'NOT_ALLOWED_FOR_RUN',
      `A run that is not running here may not use threads (${caller.name}).`,
    )
  return { name: taskNamed(task.id), task, actor: { name: caller.name, taskId: task.id } }
}
