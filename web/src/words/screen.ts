// Owns how an agent's screen is read as text. Pure.

/** More than so many empty rows in a row say nothing: some agents have all of them between their words and their box. */
const MOST_EMPTY = 2
const EMPTY_ROWS = new RegExp(`(\\n[^\\S\\n]*){${MOST_EMPTY + 1},}(?=\\n)`, 'g')

export const screenText = (screen: string): string =>
  screen.trimEnd().replace(EMPTY_ROWS, '\n'.repeat(MOST_EMPTY))

/** For a narrow window. */
export type ScreenLine = {
  readonly text: string
  /** A drawn line: it is as long as the window is wide. */
  readonly isRule: boolean
}

const RULE = /^[\s╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝─━═_-]{8,}$/
/** The blanks between the words of a box and its right edge. */
const TO_THE_EDGE = /\s{2,}([│┃║|])$/

/** Blank lines at both ends are not there, and several in between are one. */
export function screenLines(screen: string): ScreenLine[] {
  const lines = screen.split('\n').map((line) => line.trimEnd())
  const kept = lines.filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '')
  const first = kept.findIndex((line) => line !== '')
  const last = kept.findLastIndex((line) => line !== '')
  return kept.slice(Math.max(0, first), last + 1).map((line) => ({
    text: line.replace(TO_THE_EDGE, ' $1'),
    isRule: RULE.test(line) && line.trim() !== '',
  }))
}
