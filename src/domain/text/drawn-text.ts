// Owns whether a screen shows a known text. The screen may wrap it, cut it, or not draw some of its characters. Pure.
import { contentHash } from './content-hash.ts'

/**
 * What an input box shows of a text. `whole`: exactly this text. `maimed`: this text with a piece missing, or with other
 * blanks. `scrap`: so little of it that it may be anything. `other`: something that is not in the text.
 */
export type Drawn = 'whole' | 'maimed' | 'scrap' | 'other'

/** Characters that some terminals do not draw, or draw as something else. */
const UNSEEN = /[\p{Format}\p{Mark}\p{Extended_Pictographic}]/gu
const SPACE = /\s/
/** This many characters are enough to recognise a piece of a text. */
const LEAST_LEFT = 8

export function drawnAs(draft: string, text: string): Drawn {
  if (isSame(visible(draft), visible(text))) return 'whole'
  const left = squashed(draft)
  if (!isPieceOf(left, squashed(text))) return 'other'
  return left.length < LEAST_LEFT ? 'scrap' : 'maimed'
}

/** True when the texts look the same: any number of blanks counts as one, and Unicode forms of a letter are the same. */
export const isSameText = (one: string, other: string) => worded(one) === worded(other)

const worded = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()

/** Whether `rows` are the end of a text whose beginning is scrolled out of the box. False when they show too little of it. */
export function isEndOf(rows: string, text: string): boolean {
  const shown = squashed(rows)
  return shown.length >= LEAST_LEFT && squashed(text).endsWith(shown)
}

const visible = (text: string) => text.normalize('NFC').replace(UNSEEN, '').trim()

/** A screen breaks long lines, even within a word: such a break is no difference. A blank that only one side has is one. */
function isSame(drawn: string, text: string): boolean {
  let [drawnAt, textAt] = [0, 0]
  while (drawnAt < drawn.length) {
    const [shown, meant] = [drawn.charAt(drawnAt), text[textAt]]
    if (meant !== undefined && SPACE.test(shown) && SPACE.test(meant)) {
      drawnAt = pastSpace(drawn, drawnAt)
      textAt = pastSpace(text, textAt)
    } else if (shown === '\n') drawnAt++
    else if (shown === meant) {
      drawnAt++
      textAt++
    } else return false
  }
  return textAt === text.length
}

function pastSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && SPACE.test(text.charAt(at))) at++
  return at
}

const squashed = (text: string) => visible(text).replace(/\s+/g, '')

/** True when `left` is `whole` with at most one piece missing, and nothing added. */
function isPieceOf(left: string, whole: string): boolean {
  if (left === '' || left.length > whole.length) return false
  let front = 0
  while (front < left.length && left[front] === whole[front]) front++
  let back = 0
  while (back < left.length && left.at(-1 - back) === whole.at(-1 - back)) back++
  return front + back >= left.length
}

/** A short hash of what a screen shows, the same whenever the screen shows the same. */
export const nameOfShown = (shown: string | null) =>
  shown === null ? 'none' : contentHash(squashed(shown)).slice(0, 16)

/**
 * Whether the prompt that a screen shows as sent is this text. Agents may cut a long one where the screen ends, and put `…`
 * there. A person may have sent a short one that ends with `…`: that is not this text.
 */
export function isShown(shown: string, text: string): boolean {
  if (isSame(visible(shown), visible(text))) return true
  const [first = ''] = shown.split('\n', 1)
  if (!first.endsWith('…')) return false
  const piece = squashed(first.slice(0, -1))
  return piece.length >= LEAST_LEFT && squashed(text).startsWith(piece)
}
