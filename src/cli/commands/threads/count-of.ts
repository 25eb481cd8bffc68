import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'

/** The number that an option was given; undefined when it was not. */
export function countOf(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (/^\d{1,6}$/.test(given) && Number(given) > 0) return Number(given)
  throw new HoldfastError(
    'USAGE',
    `--${option} takes a whole number from 1 to 999999, not '${printable(given)}'.`,
  )
}
