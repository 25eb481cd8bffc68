// Owns how text fits a terminal: wide characters take two columns, joined ones none.

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const NONE = /\p{Mark}|\p{Format}/u
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
  if (NONE.test(letter)) return 0
  return WIDE.test(letter) ? 2 : 1
}
