// Owns what may name a pane, mark it, or tag what is typed into it.
import { HoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import { KEEPER } from '../program/ensure-server.ts'

/** Nothing that means something in a tmux target or format. */
const SAFE = /^[A-Za-z0-9][A-Za-z0-9_-]*$/

export function checkPaneName(name: string): string {
  if (SAFE.test(name) && name !== KEEPER) return name
  throw new HoldfastError(
    'INVALID_NAME',
    `'${printable(name)}' cannot name a pane: use letters, digits, '_' and '-'.`,
  )
}
