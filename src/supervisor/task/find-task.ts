// Owns which task a person means: by its id, its name, a part of its id that no other has, or `last`; a runtime's by what names it.
import { HoldfastError } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { LAST, printable } from '../../domain/names/names.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import type { RuntimeReads } from '../../ports/store/runtimes.ts'
import type { OwnNode, Store } from '../../ports/store/store.ts'
import { findRuntime, namesRuntime } from './find-runtime.ts'

type TaskSearch = RuntimeReads &
  OwnNode &
  Pick<Store, 'task' | 'newestTask' | 'tasksNamed' | 'taskIdsLike' | 'taskIdsWith'>

const ID_NAME_OR_PART = /^[A-Za-z0-9._-]{1,96}$/
const MOST_CANDIDATES = 5

export async function findTask(store: TaskSearch, text: string): Promise<Task> {
  if (namesRuntime(text)) return await taskOfRuntime(store, text)
  if (!ID_NAME_OR_PART.test(text) || text.includes('..'))
    throw new HoldfastError('INVALID_ID', `'${printable(text)}' is not a session id or name.`)
  const exact = text === LAST ? undefined : await store.task(text as TaskId)
  if (exact !== undefined) return exact
  const task = await store.task(await idOf(store, text))
  if (task === undefined) throw notFound(text)
  return task
}

async function taskOfRuntime(store: TaskSearch, text: string): Promise<Task> {
  const task = await store.task((await findRuntime(text, store)).taskId)
  if (task === undefined) throw notFound(text)
  return task
}

async function idOf(store: TaskSearch, text: string): Promise<TaskId> {
  if (text === LAST) return (await store.newestTask()) ?? none()
  return (
    (await byName(store, text)) ??
    onlyOne(await store.taskIdsLike(text, MOST_CANDIDATES + 1), `begins with '${text}'`) ??
    onlyOne(await store.taskIdsWith(text, MOST_CANDIDATES + 1), `has '${text}' in its id`) ??
    unknown(text)
  )
}

/** A name means its newest task that has not ended. If all have ended, there must be only one. */
async function byName(store: TaskSearch, name: string): Promise<TaskId | undefined> {
  const named = await store.tasksNamed(name, MOST_CANDIDATES + 1)
  const [newest] = named
  if (newest !== undefined && !isEnded(newest.status)) return newest.id
  const ids = named.map(({ id }) => id)
  return onlyOne(ids, `was named '${name}', and all of them have ended`)
}

function onlyOne(ids: readonly TaskId[], what: string): TaskId | undefined {
  if (ids.length <= 1) return ids[0]
  const shown = ids.slice(0, MOST_CANDIDATES).join(', ')
  const more = ids.length > MOST_CANDIDATES ? ' and others' : ''
  throw new HoldfastError('AMBIGUOUS_ID', `More than one session ${what}: ${shown}${more}.`)
}

const notFound = (text: string) => new HoldfastError('TASK_NOT_FOUND', `Session not found: ${text}`)
function unknown(text: string): never {
  throw notFound(text)
}
function none(): never {
  throw new HoldfastError('TASK_NOT_FOUND', 'There is no session yet.')
}
