// Owns what may be posted: UTF-8 text of bearable length, and references that fit on one line.
import { HoldfastError } from '../errors.ts'
import { printable } from '../names/names.ts'

export const MESSAGE_MAX_BYTES = 64 * 1024
const MOST_REFS = 50
const LONGEST_REF = 500
const LONGEST_TITLE = 200

/** The text as it was given. Surrogates without a partner have no UTF-8 form. */
export function checkMessageText(text: string): string {
  if (Buffer.byteLength(text) > MESSAGE_MAX_BYTES)
    throw new HoldfastError('MESSAGE_TOO_LARGE', `The message is longer than ${MESSAGE_MAX_BYTES} bytes.`)
  if (text.includes('\0')) throw new HoldfastError('MESSAGE_NOT_TEXT', 'The message contains NUL bytes.')
  if (/\p{Cs}/u.test(text)) throw new HoldfastError('MESSAGE_NOT_TEXT', 'The message is not valid UTF-8.')
  if (text.trim() === '') throw new HoldfastError('MESSAGE_EMPTY', 'The message is empty.')
  return text
}

/** Each once, in the order given. */
export function checkRefs(refs: readonly string[]): readonly string[] {
  const bad = refs.find((ref) => ref.trim() === '' || ref.length > LONGEST_REF || /[\p{Cc}\p{Cs}]/u.test(ref))
  if (bad !== undefined)
    throw new HoldfastError(
      'INVALID_REQUEST',
      `'${printable(bad)}' cannot be a reference: it is one line of 1 to ${LONGEST_REF} characters.`,
    )
  const each = [...new Set(refs)]
  if (each.length > MOST_REFS)
    throw new HoldfastError('INVALID_REQUEST', `A message has at most ${MOST_REFS} references.`)
  return each
}

export function checkThreadTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim()
  if (line !== '' && line.length <= LONGEST_TITLE && !/[\p{Cc}\p{Cs}]/u.test(line)) return line
  throw new HoldfastError('INVALID_NAME', `A thread's title is one line of 1 to ${LONGEST_TITLE} characters.`)
}
