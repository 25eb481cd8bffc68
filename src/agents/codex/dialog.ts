// Owns reading a dialog of Codex, which takes the place of the box: a question, mostly a menu, and a footer about Enter.
import { short } from '../shared/json-line.ts'

const MOST_QUESTION = 4000
const MOST_OPTION = 400
const MOST_OPTIONS = 50

export type CodexDialog = {
  /** The number of the dialog's last line, where the box would be. */
  readonly at: number
  readonly text: string
  readonly options: readonly string[]
}

/** Words of a dialog's footer that the footer below a box never has. */
const FOOTER = /\benter (to )?(confirm|continue|submit|select|approve)\b|\bto submit answer\b/i
const TITLE =
  /^ {2}(Would you like to|Do you want to|Trust this folder\?|Hooks need review|Question \d|Field \d|Welcome to Codex)/
/** The menu of a question is indented by two columns more than that of a permission. */
const OPTION = /^( {2})?[›> ] \d+\. /
const SELECTED = /^( {2})?[›>] \d+\. /
/** The rest of an option that did not fit its line. */
const OPTION_REST = /^ {5,}\S/

/** `lines` end with the last one that is not empty. */
export function codexDialogIn(lines: readonly string[]): CodexDialog | undefined {
  const footer = lines.lastIndexOf('') + 1
  const isDialog = FOOTER.test(lines.slice(footer).join(' ')) || isHalfDrawn(lines)
  if (!isDialog) return undefined
  const [first, end] = menuIn(lines) ?? [footer, footer]
  return {
    at: lines.length - 1,
    text: questionAbove(lines.slice(0, first)),
    options: optionsIn(lines.slice(first, end)),
  }
}

/** Whether this line is the selected option of a menu with at least two options. */
export const isMenuAt = (lines: readonly string[], at: number): boolean =>
  SELECTED.test(lines[at] ?? '') && [lines[at - 1], lines[at + 1]].some((line) => OPTION.test(line ?? ''))

/** A known title, and below it nothing but the menu. */
function isHalfDrawn(lines: readonly string[]): boolean {
  const title = lines.findLastIndex((line) => TITLE.test(line))
  const [first = 0, end] = menuIn(lines) ?? []
  return title >= 0 && first > title && end === lines.length
}

/** The rows of the last menu on the screen that has a selection. There may be empty rows between its options. */
function menuIn(lines: readonly string[]): [first: number, end: number] | undefined {
  const isRow = (at: number) => OPTION.test(lines[at] ?? '') || OPTION_REST.test(lines[at] ?? '')
  const isGap = (at: number) => lines[at] === '' && isRow(at - 1) && OPTION.test(lines[at + 1] ?? '')
  let first = lines.findLastIndex((line) => SELECTED.test(line))
  if (first < 0) return undefined
  let end = first + 1
  while (isRow(first - 1) || isGap(first - 1)) first -= 1
  while (isRow(end) || isGap(end)) end += 1
  return [first, end]
}

/** The text from the dialog's title on, or without a title from the end of the conversation above it. */
function questionAbove(lines: readonly string[]): string {
  const title = lines.findLastIndex((line) => TITLE.test(line))
  const start = title >= 0 ? title : lines.findLastIndex((line) => /^\S/.test(line)) + 1
  const text = lines
    .slice(start)
    .map((line) => line.trim())
    .join('\n')
  return short(text.replace(/\n{2,}/g, '\n').trim(), MOST_QUESTION)
}

function optionsIn(rows: readonly string[]): string[] {
  const options: string[] = []
  for (const row of rows.filter((line) => line !== '')) {
    if (OPTION.test(row)) options.push(row.replace(OPTION, ''))
    else options.push(`${options.pop() ?? ''} ${row.trim()}`.trim())
  }
  return options.slice(0, MOST_OPTIONS).map((option) => short(option, MOST_OPTION))
}
