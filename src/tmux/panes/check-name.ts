// Owns which names are allowed for a session, the mark of a pane, or the tag of what is typed into it.
import { HoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import { KEEPER } from '../program/ensure-server.ts'

/** Without characters that have a meaning in a tmux target or format. */
const SAFE = /^[A-Za-z0-9][A-Za-z0-9_-]*$/

export function checkPaneName(name: string): string {
  if (SAFE.test(name) && name !== KEEPER) return name
  throw new HoldfastError(
    'INVALID_NAME',
    `'${printable(name)}' cannot name a pane: use letters, digits, '_' and '-'.`,
  )
}
