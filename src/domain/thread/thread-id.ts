// Owns the names of threads: `th_` and 26 letters and digits that sort by age.
import { HoldfastError } from '../errors.ts'
import { asThreadId, type ThreadId } from '../names/ids.ts'
import { printable } from '../names/names.ts'

/** Crockford's base 32: without the letters that are taken for digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 26
const THREAD_ID = /^th_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** From a time-ordered uuid: threads then sort by their age. */
export function threadIdOf(uuid: string): ThreadId {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`)
  let letters = ''
  for (let at = 0; at < LENGTH; at++) {
    letters = LETTERS.charAt(Number(rest & 31n)) + letters
    rest >>= 5n
  }
  return asThreadId(`th_${letters}`)
}

export function checkThreadId(value: string): ThreadId {
  if (THREAD_ID.test(value)) return asThreadId(value)
  throw new HoldfastError('THREAD_NOT_FOUND', `'${printable(value)}' is not the id of a thread.`)
}
