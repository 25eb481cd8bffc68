import { HoldfastError } from '../domain/errors.ts'
import { printable } from '../domain/names.ts'
import type { Task } from '../domain/task.ts'
import type { Store } from '../ports/store.ts'

const ID_OR_PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$/

/** A task by its id, or by the beginning of its id when only one begins so. */
export async function findTask(store: Store, text: string): Promise<Task> {
  if (!ID_OR_PREFIX.test(text) || text.includes('..'))
    throw new HoldfastError('INVALID_ID', `'${printable(text)}' is not a session id.`)
  const [first, second] = await store.taskIdsLike(text, 2)
  const exact = first === text || second === undefined ? first : undefined
  if (first === undefined) throw new HoldfastError('TASK_NOT_FOUND', `Session not found: ${text}`)
  if (exact === undefined)
    throw new HoldfastError(
      'AMBIGUOUS_ID',
      `More than one session begins with '${text}', for example ${first} and ${second}.`,
    )
  return (await store.task(exact))!
}
