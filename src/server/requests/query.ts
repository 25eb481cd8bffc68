// Owns numbers and times in queries and headers: whole numbers within bounds, in plain digits; times in ISO 8601.
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

const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/

/** Epoch ms. Other forms that JavaScript takes for a time are refused: it reads `1` as a year. */
export function timeIn(name: string, text: string): number {
  const at = ISO_8601.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(at)) return at
  throw new HoldfastError(
    'INVALID_REQUEST',
    `'${name}' must be an ISO 8601 time such as 2025-11-18T15:30:00Z, not '${printable(text)}'.`,
  )
}
