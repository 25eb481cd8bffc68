// Owns reading OpenCode's dialogs: permissions and questions. Enter would answer them, so a screen with one is never idle.
import { reading, type ScreenReading } from '../../ports/run/screen.ts'
import { lastLine } from '../shared/last-line.ts'

const LABELS = ['Allow once', 'Allow always', 'Reject', 'Confirm', 'Cancel']
const QUESTION_KEYS = /enter (?:submit|toggle|confirm) +esc dismiss/
const OPTION = /^\d+\. (?:\[.\] )?(.*?)(?: ✓)?$/

/** `block`: all lines of the dialog, with the bar at their left. */
export function readOpencodeDialog(block: readonly string[]): ScreenReading {
  const lines = block.map((line) => line.replace(/^\s*┃ {0,2}/, '')).filter((line) => line.trim() !== '')
  const title = lastLine(lines, (line) => line.startsWith('△ '))
  if (title !== undefined) return readPermission(title.line, lines.slice(title.row + 1))
  const keys = lastLine(lines, (line) => QUESTION_KEYS.test(line))
  return keys === undefined
    ? reading('unknown', 'an unknown dialog')
    : readQuestion(keys.line, lines.slice(0, keys.row))
}

function readPermission(title: string, lines: readonly string[]): ScreenReading {
  const last = lines.at(-1) ?? ''
  const options = LABELS.filter((label) => last.includes(label))
  const text = lines
    .slice(0, -1)
    .map((line) => line.trim())
    .join('\n')
  return reading('asking', title, { question: { text, options } })
}

/** Descriptions are indented; a row of tabs may stand above the question. */
function readQuestion(keys: string, lines: readonly string[]): ScreenReading {
  const options = lines.flatMap((line) => OPTION.exec(line)?.[1] ?? [])
  const first = lines.findIndex((line) => OPTION.test(line))
  const text = lines
    .slice(0, first < 0 ? lines.length : first)
    .map((line) => line.trim())
    .join('\n')
  return reading('asking', keys.trim(), { question: { text, options } })
}
