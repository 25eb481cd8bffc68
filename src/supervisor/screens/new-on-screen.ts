// Owns which lines of a screen go into output.log, for an agent that reports nothing itself: those not there yet. Pure.
import { redactSecrets } from '../../domain/text/redact-secrets.ts'

const HEAD = 'screen:'
const INDENT = '  '

/** `said`: the lines of the conversation. `log`: the end of output.log. Returns an empty text when nothing is new. */
export function newOnScreen(said: readonly string[], log: string): string {
  const lines = redactSecrets(said.join('\n'))
    .split('\n')
    .map((line) => line.trimEnd())
  const printed = log
    .split('\n')
    .flatMap((line) => (line.startsWith(INDENT) ? [line.slice(INDENT.length)] : []))
  const isKnown = knownLines(lines, printed.filter(isNotBlank))
  const fresh = lines.filter((line, at) => isNotBlank(line) && !isKnown[at])
  return fresh.length === 0 ? '' : [HEAD, ...fresh.map((line) => INDENT + line), ''].join('\n')
}

const isNotBlank = (line: string) => line !== ''

/**
 * Marks the lines that were printed before, in this order: the longest common subsequence. A screen
 * has some dozens of lines.
 */
function knownLines(lines: readonly string[], printed: readonly string[]): boolean[] {
  const before = printed.slice(-MOST_PRINTED)
  const lengths = Array.from({ length: lines.length + 1 }, () => new Uint16Array(before.length + 1))
  for (let row = lines.length - 1; row >= 0; row--)
    for (let column = before.length - 1; column >= 0; column--)
      lengths[row]![column] =
        lines[row] === before[column]
          ? lengths[row + 1]![column + 1]! + 1
          : Math.max(lengths[row + 1]![column]!, lengths[row]![column + 1]!)
  const isKnown = lines.map(() => false)
  for (let row = 0, column = 0; row < lines.length && column < before.length; ) {
    if (lines[row] === before[column]) {
      isKnown[row] = true
      row++
      column++
    } else if (lengths[row + 1]![column]! >= lengths[row]![column + 1]!) row++
    else column++
  }
  return isKnown
}

/** Printed lines that are compared: more than any screen shows. */
const MOST_PRINTED = 1000
