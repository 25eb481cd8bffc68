// Owns numbers in queries and headers: whole numbers within bounds, in plain digits.
import { HoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'

type Bounds = { readonly least?: number; readonly most?: number }

/** Only plain digits: `1e40`, `0x10`, `0.5` and the empty text are refused. */
export function wholeNumber(
  name: string,
  text: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: Bounds = {},
) {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  throw new HoldfastError(
    'INVALID_REQUEST',
    `'${name}' must be a whole number ${range}, not '${printable(text)}'.`,
  )
}
