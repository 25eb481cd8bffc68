// Owns how text fits a terminal: wide characters take two columns, joined ones none.
import { eastAsianWidth } from 'get-east-asian-width'

/** Characters that are drawn into the column before them: marks, joiners, parts of Korean syllables. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/u
const CONTROL = /[\x00-\x1f\x7f-\x9f]/g

export const widthOf = (text: string) =>
  Array.from(text).reduce((sum, letter) => sum + widthOfLetter(letter), 0)

/** Lines of at most `columns`, with control characters shown as `?` so that none reaches the terminal. */
export function wrapText(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(harmless(line), Math.max(2, columns)))
}

export const harmless = (line: string) => line.replaceAll('\t', '  ').replace(CONTROL, '?')

function wrapLine(line: string, columns: number): string[] {
  const lines = ['']
  let width = 0
  for (const letter of line) {
    width += widthOfLetter(letter)
    if (width > columns) {
      lines.push('')
      width = widthOfLetter(letter)
    }
    lines[lines.length - 1] += letter
  }
  return lines
}

function widthOfLetter(letter: string): number {
  const code = letter.codePointAt(0)
  return code === undefined || ZERO_WIDTH.test(letter) ? 0 : eastAsianWidth(code)
}
