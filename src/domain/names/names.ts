// Owns what a name may look like. Everything that becomes a path, a tmux target or an argument passes here.
import { HoldfastError } from '../errors.ts'
import { asTaskId, type TaskId } from './ids.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const TASK_ID = /^\d{8}-\d{6}-[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/
/** Stands for the newest session, wherever an id is expected; so nothing can be named so. */
export const LAST = 'last'
export const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** One variable, or with a final `*` all that begin so. */
export const isEnvPattern = (value: unknown): value is string =>
  typeof value === 'string' && ENV_NAME.test(value.replace(/\*$/, ''))

/** `..` has no use in a name and every use in an attack. */
export const isName = (value: string) => NAME.test(value) && !value.includes('..')

/** A role, a task's name, a tag, a workspace slug. */
export function checkName(what: string, value: string): string {
  if (!isName(value))
    throw new HoldfastError(
      'INVALID_NAME',
      `${what} '${printable(value)}' may only contain letters, digits, '.', '_' and '-', and starts with a letter or digit (at most 64).`,
    )
  return value
}

/** What a person calls a task. */
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

/** `20251118-153042-<name>` in UTC: sorts by age and reads well. */
export function taskIdAt(nowMs: number, name: string): TaskId {
  const iso = new Date(nowMs).toISOString()
  return asTaskId(`${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 19).replaceAll(':', '')}-${name}`)
}

/** Hostile bytes stay out of our own messages and logs. */
export function printable(value: string, most = 80): string {
  const shown = value.replace(/[^\x20-\x7e\u00a0-\ufffd]/gu, '?')
  return shown.length > most ? `${shown.slice(0, most)}…` : shown
}
