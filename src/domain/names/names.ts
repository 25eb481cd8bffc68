// Owns what a name may look like. Every name that becomes a path, a tmux target or an argument is checked here.
import { HoldfastError } from '../errors.ts'
import { asTaskId, type TaskId } from './ids.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const TASK_ID = /^\d{8}-\d{6}-[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/
/** Means the newest session wherever an id is expected. So no session can have this name. */
export const LAST = 'last'
export const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The name of one variable; with a final `*`, the beginning of the names of several. */
export const isEnvPattern = (value: unknown): value is string =>
  typeof value === 'string' && ENV_NAME.test(value.replace(/\*$/, ''))

/** The end of a sentence that begins with the name. */
export const NAME_RULE =
  "may only contain letters, digits, '.', '_' and '-', must start with a letter or digit, must not contain '..', and has at most 64 characters"

/** `..` is refused because a name may become part of a path. */
export const isName = (value: string) => NAME.test(value) && !value.includes('..')

/** For the name of a role or a task, a tag, and a workspace slug. `what` names it in the error. */
export function checkName(what: string, value: string): string {
  if (!isName(value)) throw new HoldfastError('INVALID_NAME', `${what} '${printable(value)}' ${NAME_RULE}.`)
  return value
}

/** For the name that a person gives a task with `--name`. */
export function checkTaskName(name: string): string {
  if (name === LAST)
    throw new HoldfastError(
      'INVALID_NAME',
      `A session cannot be named '${LAST}': that stands for the newest one.`,
    )
  return checkName('Name', name)
}

export const isTaskId = (value: string) => TASK_ID.test(value) && !value.includes('..')

export function checkTaskId(value: string): TaskId {
  if (!isTaskId(value)) throw new HoldfastError('INVALID_ID', `'${printable(value)}' is not a session id.`)
  return asTaskId(value)
}

/** `20251118-153042-<name>`, in UTC: sorted by text, the ids are sorted by age. */
export function taskIdAt(nowMs: number, name: string): TaskId {
  const iso = new Date(nowMs).toISOString()
  return asTaskId(`${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 19).replaceAll(':', '')}-${name}`)
}

/** A text that others wrote, made safe for messages and logs: without control characters, and cut when it is long. */
export function printable(value: string, most = 80): string {
  const shown = value.replace(/[^\x20-\x7e\u00a0-\ufffd]/gu, '?')
  return shown.length > most ? `${shown.slice(0, most)}…` : shown
}
