// Owns which sessions a run may act on: its own, and those that it started, with those that these started. The
// orchestrator of a workspace may also speak to the runtimes there.
import { HoldfastError } from '../domain/errors.ts'
import type { Caller } from '../domain/task/caller.ts'
import type { Task } from '../domain/task/task.ts'
import type { Desk } from '../supervisor/desk.ts'

/** `started` is not its own session: a run may never answer its own question. */
export type Reach = 'own_and_started' | 'started' | 'started_or_coordinated'

const WORDS: Readonly<Record<Reach, readonly [only: string, not: string]>> = {
  own_and_started: ['its own session and those that it started', 'neither'],
  started: ['sessions that it started', 'none of them'],
  started_or_coordinated: [
    'sessions that it started, or as the orchestrator runtimes of its workspace',
    'neither',
  ],
}

/** `what`: the verb, such as `kill`. NOT_ALLOWED_FOR_RUN for a session that the run does not reach. */
export async function checkReach(
  caller: Caller,
  task: Task,
  what: string,
  reach: Reach,
  { tasks, operators }: Pick<Desk, 'tasks' | 'operators'>,
): Promise<void> {
  if (caller.kind !== 'run') return
  if (reach === 'own_and_started' && caller.run === task.runId) return
  if (await tasks.isBelow(task, caller.run)) return
  if (reach === 'started_or_coordinated' && (await operators.coordinates(caller.run, task))) return
  const [only, not] = WORDS[reach]
  throw new HoldfastError('NOT_ALLOWED_FOR_RUN', `A run may ${what} only ${only}, and ${task.id} is ${not}.`)
}
