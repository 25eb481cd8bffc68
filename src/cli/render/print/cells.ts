// Owns text on a terminal: on one line, without escape sequences, and how many cells it takes.
import { eastAsianWidth } from 'get-east-asian-width'

/** Characters that are drawn into the cell before them: marks, joiners, parts of Korean syllables. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/u

/** Nearly all text is plain: one cell per character, and nothing to clean. */
const PLAIN = /^[\x20-\x7e]*$/

/** Text that others wrote, made harmless: escapes, line breaks and direction marks do not reach the terminal. */
export function oneLine(text: string): string {
  if (PLAIN.test(text)) return text
  const spaced = text.replace(/\s+/g, ' ')
  return spaced.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim()
}

export function cells(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const char of text) width += cellsOf(char)
  return width
}
function cellsOf(char: string): number {
  if (char < '\u0300') return 1
  const code = char.codePointAt(0)
  return code === undefined || ZERO_WIDTH.test(char) ? 0 : eastAsianWidth(code)
}

export type Measured = { readonly texts: readonly string[]; readonly cells: readonly number[] }

/** Makes all texts harmless and measures them. All are tested at once: a list has thousands, and nearly always all are plain. */
export function measured(written: readonly string[]): Measured {
  if (PLAIN.test(written.join(''))) return { texts: written, cells: written.map((text) => text.length) }
  const texts = written.map(oneLine)
  return { texts, cells: texts.map(cells) }
}

/** The text in at most `width` cells; a text that is cut ends with `…`. */
export function shorten(text: string, width: number): string {
  if (cells(text) <= width) return text
  let kept = ''
  let left = width - 1
  for (const char of text) {
    left -= cellsOf(char)
    if (left < 0) break
    kept += char
  }
  return width < 1 ? '' : `${kept}…`
}

export const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - cells(text)))
