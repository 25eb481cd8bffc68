// Owns how those who write and read threads are named: `person:ada`, `task:<session id>`, or `reviewer@shop` for a runtime.
import { HoldfastError } from '../errors.ts'
import { asTaskId, type TaskId } from '../names/ids.ts'
import { isName, isTaskId, printable } from '../names/names.ts'

const PERSON = 'person:'
const TASK = 'task:'

/** A person is the same one in every terminal: `ada@pts/3` is `person:ada`. */
export function personNamed(actor: string): string {
  const name = actor
    .replace(/@.*$/s, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[_-]+/, '')
  return `${PERSON}${name.slice(0, 64) || 'unknown'}`
}
export const taskNamed = (id: TaskId): string => `${TASK}${id}`

/** A runtime has one name, whichever task it is. */
export const nameOfTask = ({
  id,
  runtime,
}: {
  readonly id: TaskId
  readonly runtime: string | null
}): string => runtime ?? taskNamed(id)

/** Undefined for whoever is not named by a task. */
export const taskIdIn = (participant: string): TaskId | undefined =>
  participant.startsWith(TASK) ? asTaskId(participant.slice(TASK.length)) : undefined

export const isPersonName = (participant: string): boolean => participant.startsWith(PERSON)

/** INVALID_NAME for what names nobody. Whether there is such a one is not asked here. */
export function checkParticipant(text: string): string {
  if (isParticipant(text)) return text
  throw new HoldfastError(
    'INVALID_NAME',
    `'${printable(text)}' is neither 'person:<name>', nor 'task:<session id>', nor '<role>@<workspace>'.`,
  )
}

function isParticipant(text: string): boolean {
  if (isPersonName(text)) return isName(text.slice(PERSON.length))
  if (text.startsWith(TASK)) return isTaskId(text.slice(TASK.length))
  const [role = '', workspace = '', ...more] = text.split('@')
  return more.length === 0 && isName(role) && isName(workspace)
}
