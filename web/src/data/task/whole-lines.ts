// Owns where a part of an output is cut: between two lines, and never within a letter. Pure.

/** `from`: the byte of the output at which `text` begins. `next`: the byte after it. */
export type OutputPart = { readonly text: string; readonly from: number; readonly next: number }

/** Which ends of what was read may stand in the middle of a line. */
export type Loose = { readonly begin: boolean; readonly end: boolean }

const NEWLINE = 0x0a

/** What stands in the bytes that begin at `from`. What is cut off belongs to the parts before and after it. */
export function partOf(bytes: Uint8Array, from: number, loose: Loose): OutputPart {
  const end = loose.end ? endOf(bytes) : bytes.length
  const begin = loose.begin && from > 0 ? beginOf(bytes, end) : 0
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(begin, end))
  return { text, from: from + begin, next: from + end }
}

/** Of a line that is longer than all that was read, or not written to its end yet, the whole letters are shown. */
function endOf(bytes: Uint8Array): number {
  const lines = bytes.lastIndexOf(NEWLINE) + 1
  return lines > 0 ? lines : endOfLetters(bytes)
}

function beginOf(bytes: Uint8Array, end: number): number {
  const second = bytes.indexOf(NEWLINE) + 1
  return second > 0 && second < end ? second : beginOfLetters(bytes)
}

/** In UTF-8 a letter has four bytes at most; all but the first are `10xxxxxx`. */
const LONGEST = 4
const isWithin = (byte: number) => (byte & 0xc0) === 0x80
const lengthOf = (first: number) => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1)

function beginOfLetters(bytes: Uint8Array): number {
  const first = bytes.subarray(0, LONGEST).findIndex((byte) => !isWithin(byte))
  return Math.max(first, 0)
}

function endOfLetters(bytes: Uint8Array): number {
  const last = bytes.findLastIndex((byte) => !isWithin(byte))
  const missing = last >= 0 && last + lengthOf(bytes[last]!) > bytes.length
  return missing ? last : bytes.length
}
