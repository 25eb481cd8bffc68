// Owns how text sits on a terminal: one line, no escapes, and how many cells it takes.
import { eastAsianWidth } from 'get-east-asian-width'

/** Drawn into the cell before them: marks, joiners, and the vowels and ends of a Korean syllable written in parts. */
const NOTHING = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/u

/** Nearly all there is to print: then one cell per character, and nothing to clean. */
const PLAIN = /^[\x20-\x7e]*$/

/** What others wrote, made harmless: escapes, line breaks and direction marks cannot reach the terminal. */
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
  return code === undefined || NOTHING.test(char) ? 0 : eastAsianWidth(code)
}

export type Measured = { readonly texts: readonly string[]; readonly cells: readonly number[] }

/** Made harmless and measured, all in one look: a list has thousands of these, and nearly always all are plain. */
export function measured(written: readonly string[]): Measured {
  if (PLAIN.test(written.join(''))) return { texts: written, cells: written.map((text) => text.length) }
  const texts = written.map(oneLine)
  return { texts, cells: texts.map(cells) }
}

/** At most `width` cells; what is cut ends in `…`. */
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
