// Owns what the scripted agent's screen means. From the bottom up: a hint, a box or a dialog between two rules, queued prompts,
// and a line that says what it does.
import { reading, type ScreenReading, type ScreenView } from '../../ports/run/screen.ts'
import { lastLine } from '../shared/last-line.ts'
import { shellPromptOn } from '../shared/shell-prompt.ts'
import { widthOf } from './program/terminal/wrap-text.ts'

const RULE = /^─{8,}$/
const HINT = /^(enter sends|Press Ctrl-C)/
const ASKING = 'Asking: '
const FAREWELL = /^Resume with: holdfast-scripted-agent /

type Frame = {
  readonly status: string
  readonly said: readonly string[]
  readonly inside: readonly string[]
  readonly columns: number
  readonly top: number
  readonly bottom: number
}

export function readScriptedScreen(view: ScreenView): ScreenReading {
  const lines = view.text.split('\n').map((line) => line.trimEnd())
  const frame = frameIn(lines)
  const shell = lines.some((line) => FAREWELL.test(line)) ? undefined : shellPromptOn(view)
  if (shell) return shell
  if (frame === undefined) return readWithoutFrame(lines)
  return { ...(readDialog(frame) ?? readBox(frame, view.cursor)), said: frame.said }
}

function frameIn(lines: readonly string[]): Frame | undefined {
  const bottom = lastLine(lines, (line) => RULE.test(line))
  if (bottom === undefined || !HINT.test(lines[bottom.row + 1] ?? '')) return undefined
  const top = lines.slice(0, bottom.row).findLastIndex((line) => RULE.test(line))
  const status = lastLine(lines.slice(0, Math.max(top, 0)), (line) => !line.startsWith('queued: '))
  if (status === undefined) return undefined
  return {
    status: status.line,
    said: lines.slice(0, status.row),
    inside: lines.slice(top + 1, bottom.row),
    columns: bottom.line.length,
    top,
    bottom: bottom.row,
  }
}

function readWithoutFrame(lines: readonly string[]): ScreenReading {
  const farewell = lines.findLast((line) => FAREWELL.test(line))
  if (farewell !== undefined) return reading('exited', farewell)
  if (lines.every((line) => line === '')) return reading('starting', 'an empty screen')
  return reading('unknown', 'no input box of the scripted agent')
}

/** The chosen option has its mark in the first column: text in the box begins further right. */
const CHOSEN = /^❯ \d+\. /
const FIRST_OPTION = /^[❯ ] 1\. /

function readDialog({ status, inside, columns }: Frame): ScreenReading | undefined {
  const chosen = inside.find((line) => CHOSEN.test(line))
  if (chosen === undefined) return undefined
  const start = inside.findLastIndex((line) => FIRST_OPTION.test(line))
  const options = start < 0 ? [] : inside.slice(start).map((line) => line.slice(2))
  const isWhole = options.every((option, at) => option.startsWith(`${at + 1}. `))
  if (!status.startsWith(ASKING) || options.length === 0 || !isWhole)
    return reading('unknown', 'a dialog that is not whole')
  const text = unwrapped(inside.slice(0, start), columns)
  return reading('asking', chosen, {
    question: { text, options: options.map((option) => option.replace(/^\d+\. /, '')) },
  })
}

/** A line that reaches the edge was cut there; a shorter one lost the blank at its end. */
const unwrapped = (lines: readonly string[], columns: number) =>
  lines
    .map((line) => (widthOf(line) < columns ? `${line} ` : line))
    .join('')
    .trimEnd()

const WORKING = /^[\u2800-\u28ff] Working… /
const LIMIT = 'Limit: '
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
const IN_THE_BOX = /^([> ] |>?$)/

function readBox({ status, inside, top, bottom }: Frame, cursor: ScreenView['cursor']): ScreenReading {
  if (!inside.every((line) => IN_THE_BOX.test(line))) return reading('unknown', 'something else in the box')
  const draft = draftIn(inside)
  if (WORKING.test(status)) return reading('working', status, { draft })
  if (cursor !== undefined && (cursor.y <= top || cursor.y >= bottom))
    return reading('unknown', 'the cursor is not in the box', { draft })
  if (status === 'Idle') return reading('idle', status, { draft })
  if (status === 'Interrupted') return reading('idle', status, { draft, interrupted: true })
  if (status.startsWith(ASKING))
    return reading('asking', status, { draft, question: { text: status.slice(ASKING.length), options: [] } })
  if (!status.startsWith(LIMIT)) return reading('unknown', 'no status above the box', { draft })
  const message = status.slice(LIMIT.length)
  return reading('limit', status, { draft, limit: { message, until: INSTANT.exec(message)?.[0] ?? null } })
}

/** The draft as the box shows it: wrapped, and of a long one only the end. */
function draftIn(inside: readonly string[]): string | null {
  const draft = inside
    .map((line) => line.slice(2))
    .join('\n')
    .trimEnd()
  return draft === '' ? null : draft
}
