// Owns what a thread, a reason and a key may look like: they stand in the first line of an envelope, or name a row.
import { HoldfastError } from '../errors.ts'
import { printable } from '../names/names.ts'

/** No blank, bracket or quote: none of these can end the line that it stands in, or look like another fact of it. */
const WORD = /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,99}$/
const KEY = /^[\x21-\x7e]{1,200}$/

export const checkThread = (value: string) => checkWord('thread', value)
export const checkReason = (value: string) => checkWord('reason', value)

function checkWord(what: string, value: string): string {
  if (WORD.test(value)) return value
  throw new HoldfastError(
    'INVALID_WORD',
    `The ${what} '${printable(value)}' may only contain letters, digits and . _ : @ / -, and starts with a letter or digit (at most 100).`,
  )
}

export function checkKey(value: string): string {
  if (KEY.test(value)) return value
  throw new HoldfastError(
    'INVALID_WORD',
    `The key '${printable(value)}' may only contain visible ASCII characters without blanks (at most 200).`,
  )
}
