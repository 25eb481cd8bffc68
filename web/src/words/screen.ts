// Owns how an agent's screen is read as text. Pure.

/** More than so many empty rows in a row say nothing: some agents have all of them between their words and their box. */
const MOST_EMPTY = 2
const EMPTY_ROWS = new RegExp(`(\\n[^\\S\\n]*){${MOST_EMPTY + 1},}(?=\\n)`, 'g')

export const screenText = (screen: string): string =>
  screen.trimEnd().replace(EMPTY_ROWS, '\n'.repeat(MOST_EMPTY))
