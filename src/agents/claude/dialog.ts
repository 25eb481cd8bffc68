// Owns reading a dialog of Claude Code. It takes the place of the box: an edge, a question, mostly a menu, mostly a footer of keys.
import { short } from '../shared/json-line.ts'
import { lastLine } from '../shared/last-line.ts'

const MOST_QUESTION = 4000
const MOST_OPTION = 400
const MOST_OPTIONS = 50

export type ClaudeDialog = {
  /** The line by which we know that it is a dialog. */
  readonly mark: string
  readonly text: string
  readonly options: readonly string[]
}

const EDGE = /^\s*[─▔]{8}/
const FOOTER = /\b(esc to (cancel|exit|close|go back)|enter to (confirm|continue|select|submit|set))\b/i
const FIRST_OPTION = /^\s*(❯ )?\s*1\. /
const OPTION = /^\s*(?:❯ )?\s*(\d+)\. (.*)$/
const SELECTED = /^\s*❯ (?=\S)/

type Menu = { readonly start: number; readonly end: number; readonly options: readonly string[] }

/** `lines` end with the last one that is not empty, and begin below the box if there is one. */
export function claudeDialogIn(lines: readonly string[]): ClaudeDialog | undefined {
  const last = lines.at(-1) ?? ''
  const hasFooter = FOOTER.test(last)
  const numbered = numberedMenu(lines, last)
  const menu = numbered ?? (hasFooter ? plainMenu(lines) : undefined)
  if (!menu && !hasFooter) return undefined
  const { start, options } = menu ?? { start: lines.length - 1, options: [] }
  // In a menu without numbers, the marked line must be known: the keys to another line are counted from it.
  const isMarkFooter = hasFooter && (numbered !== undefined || menu === undefined)
  return {
    mark: (isMarkFooter ? last : (lines.findLast((line) => SELECTED.test(line)) ?? '')).trim(),
    text: short(questionAbove(lines.slice(0, start)), MOST_QUESTION),
    options: options.slice(0, MOST_OPTIONS).map((option) => short(option, MOST_OPTION)),
  }
}

/** Options 1, 2, 3 with a mark on one of them, and nothing below but rules, hints and keys. */
function numberedMenu(lines: readonly string[], last: string): Menu | undefined {
  const start = lines.findLastIndex((line) => FIRST_OPTION.test(line))
  if (start < 0) return undefined
  // A question's options have descriptions below them, a permission's are wrapped.
  const isQuestion = / to navigate /.test(last)
  const options: string[] = []
  let end = start
  for (const [row, line] of lines.entries()) {
    if (row < start) continue
    const [, number, label = ''] = OPTION.exec(line) ?? []
    const isRest = row > start && lines[row - 1] !== '' && /^ {4}/.test(line)
    if (Number(number) === options.length + 1) options.push(label)
    else if (!isRest) continue
    else if (!isQuestion) options.push(`${options.pop()} ${line.trim()}`)
    end = row + 1
  }
  const isMarked = lines.slice(start, end).some((line) => SELECTED.test(line) && OPTION.test(line))
  const isLast = lines.slice(end).every((line) => line === '' || /^\s/.test(line) || FOOTER.test(line))
  return isMarked && isLast ? { start, end, options } : undefined
}

/** The marked line below the edge, and the lines above and below it whose text begins in the same column. */
function plainMenu(lines: readonly string[]): Menu | undefined {
  const marked = lastLine(lines, (line) => SELECTED.test(line))
  if (marked === undefined || lines.slice(marked.row).some((line) => EDGE.test(line))) return undefined
  const column = marked.line.indexOf('❯') + 2
  const isOption = (line = '') => line.search(/\S/) === column
  let [start, end] = [marked.row, marked.row + 1]
  while (isOption(lines[start - 1])) start -= 1
  while (isOption(lines[end])) end += 1
  return { start, end, options: lines.slice(start, end).map((line) => line.slice(column)) }
}

/** A line of advertising above the command, in one row or two. */
const TIP = /\nTip: [^\n]* choose "switch to auto mode"\s+below(?=\n)/

/** All text from the dialog's edge on, without rules: people must see what they are asked about. */
function questionAbove(lines: readonly string[]): string {
  return lines
    .slice(lines.findLastIndex((line) => EDGE.test(line)) + 1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^╌+$/.test(line))
    .join('\n')
    .replace(TIP, '')
}
