// Owns how text sits on a terminal: one line, no escapes, and how many cells it takes.

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const NOTHING = /\p{Mn}/u

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
const cellsOf = (char: string) => (char < '\u0300' ? 1 : WIDE.test(char) ? 2 : NOTHING.test(char) ? 0 : 1)

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
