// Owns whether a text on a screen is one that we know: wrapped, without what cannot be drawn, or cut at its end. Pure.
import { contentHash } from './content-hash.ts'

/** What a box holds of a text: all of it and nothing else, only pieces of it, so little of it that it may be anybody's, or something else too. */
export type Drawn = 'whole' | 'maimed' | 'scrap' | 'other'

/** Not drawn by every terminal, or drawn as something else. */
const UNSEEN = /[\p{Format}\p{Mark}\p{Extended_Pictographic}]/gu
const SPACE = /\s/
/** What is left of a text is known by so much of it. */
const LEAST_LEFT = 8

export function drawnAs(draft: string, text: string): Drawn {
  if (isSame(visible(draft), visible(text))) return 'whole'
  const left = squashed(draft)
  if (!isPieceOf(left, squashed(text))) return 'other'
  return left.length < LEAST_LEFT ? 'scrap' : 'maimed'
}

/** The same to a reader: blanks count as one, and letters as they look. */
export const isSameText = (one: string, other: string) => worded(one) === worded(other)

const worded = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()

/** The end of a text whose beginning is scrolled out of the box. */
export const isEndOf = (rows: string, text: string) => squashed(text).endsWith(squashed(rows))

const visible = (text: string) => text.normalize('NFC').replace(UNSEEN, '').trim()

/** Where a line was too long it was broken, at a blank or within a word. A blank more or less is a difference. */
function isSame(drawn: string, text: string): boolean {
  let [at, in_] = [0, 0]
  while (at < drawn.length) {
    const [shown, meant] = [drawn.charAt(at), text[in_]]
    if (meant !== undefined && SPACE.test(shown) && SPACE.test(meant)) {
      at = pastSpace(drawn, at)
      in_ = pastSpace(text, in_)
    } else if (shown === '\n') at++
    else if (shown === meant) {
      at++
      in_++
    } else return false
  }
  return in_ === text.length
}

function pastSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && SPACE.test(text.charAt(at))) at++
  return at
}

const squashed = (text: string) => visible(text).replace(/\s+/g, '')

/** A piece is missing, and nothing was put in its place. */
function isPieceOf(left: string, whole: string): boolean {
  if (left === '' || left.length > whole.length) return false
  let front = 0
  while (front < left.length && left[front] === whole[front]) front++
  let back = 0
  while (back < left.length && left.at(-1 - back) === whole.at(-1 - back)) back++
  return front + back >= left.length
}

/** A short name for what a screen shows, the same whenever it shows the same. */
export const nameOfShown = (shown: string | null) =>
  shown === null ? 'none' : contentHash(squashed(shown)).slice(0, 16)

/** Whether what is shown as said is this text. A long one may be cut, with `…` at the end of its first line. */
export function isShown(shown: string, text: string): boolean {
  if (isSame(visible(shown), visible(text))) return true
  const [first = ''] = shown.split('\n', 1)
  return first.endsWith('…') && squashed(text).startsWith(squashed(first.slice(0, -1)))
}
