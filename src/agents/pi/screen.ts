// Owns what Pi's screen means. It is read from its box: the last two rules, with the draft or a dialog between them.
import { reading, type ScreenReading, type ScreenView } from '../../ports/run/screen.ts'
import { lastLine } from '../shared/last-line.ts'
import { shellPromptOn } from '../shared/shell-prompt.ts'
import { classOfError, limitEnd } from './failure.ts'

/** A rule may show what Pi is doing, or how much of the draft is out of sight: `── ⠙ Working ───── ↑ 3 more ──`. */
const RULE = /^──+(?: .+ ──+)?$/
const OUT_OF_SIGHT = / [↑↓] \d+ more /
const LABEL = /^──+ (\S.*?) ──/
/** The greeting, or the warning before it that the session we chose is new. */
const GREETING = /^(?: ?pi v\d|Warning: No project session found with id )/
const FAREWELL = /^To resume this session: pi --session /

type Box = {
  readonly top: string
  readonly topRow: number
  readonly inside: readonly string[]
  readonly above: readonly string[]
  readonly below: readonly string[]
}

export function readPiScreen(view: ScreenView): ScreenReading {
  const lines = view.text.split('\n').map((line) => line.trimEnd())
  const box = lastBox(lines)
  const farewell = (box?.below ?? lines).findLast((line) => FAREWELL.test(line))
  if (farewell !== undefined) return reading('exited', farewell)
  const shell = shellPromptOn(view)
  if (shell) return shell
  if (box === undefined) return withoutBox(lines)
  return readDialog(box) ?? readWork(box) ?? readTrouble(box) ?? readRest(box, view.cursor)
}

function lastBox(lines: readonly string[]): Box | undefined {
  const bottom = lines.findLastIndex((line) => RULE.test(line))
  const top = lastLine(lines.slice(0, Math.max(bottom, 0)), (line) => RULE.test(line))
  if (top === undefined) return undefined
  return {
    top: top.line,
    topRow: top.row,
    inside: lines.slice(top.row + 1, bottom),
    above: lines.slice(0, top.row),
    below: lines.slice(bottom + 1),
  }
}

function withoutBox(lines: readonly string[]): ScreenReading {
  const shown = lines.filter((line) => line !== '')
  if (shown.length === 0) return reading('starting', 'an empty screen')
  const greeting = shown.find((line) => GREETING.test(line))
  return greeting === undefined ? reading('unknown', 'no input box of Pi') : reading('starting', greeting)
}

const CHOSEN = /^ ?[→›] \S/
const HINT = /^\s.*\bcancel\)?$/i

/** A dialog has a list with a chosen line, or a hint about keys that close it: a prompt must not be typed here. */
function readDialog({ inside }: Box): ScreenReading | undefined {
  const chosen = inside.findIndex((line) => CHOSEN.test(line))
  const hint = inside.findLast((line) => line !== '' && HINT.test(line))
  if (chosen < 0 && hint === undefined) return undefined
  const evidence = (inside[chosen] ?? hint ?? '').trim()
  const first = chosen < 0 ? inside.length : inside.lastIndexOf('', chosen) + 1
  const after = inside.indexOf('', first)
  const options = chosen < 0 ? [] : inside.slice(first, after < 0 ? undefined : after).map(asOption)
  const asked = inside.slice(0, first).filter((line) => line !== '' && line !== hint && !/^>/.test(line))
  const question = { text: asked.map((line) => line.trim()).join('\n'), options }
  return reading('asking', evidence, { question })
}

const asOption = (line: string) =>
  line
    .trim()
    .replace(/^[→›] */, '')
    .replace(/^✓ */, '')

/** What Pi does is shown in the upper rule; a command that the user runs with `!` is shown above the box. */
function readWork({ top, inside, above }: Box): ScreenReading | undefined {
  const label = LABEL.exec(top.replace(OUT_OF_SIGHT, ''))?.[1]
  const evidence = label ?? above.findLast((line) => /^ ?[\u2800-\u28ff] Running\.\.\. \(/.test(line))?.trim()
  return evidence === undefined ? undefined : reading('working', evidence, { draft: draftIn(inside) })
}

function draftIn(inside: readonly string[]): string | null {
  const draft = inside.join('\n').trimEnd()
  return draft === '' ? null : draft
}

/** The paragraph right above the box was said last. */
function readTrouble(box: Box): ScreenReading | undefined {
  const draft = draftIn(box.inside)
  const noModels = box.above.find((line) => /^ ?Warning: No models available\./.test(line))
  if (noModels !== undefined && box.below.some((line) => line.endsWith(' unknown')))
    return reading('error', noModels.trim(), { draft })
  const error = lastParagraph(box)
  if (!error.startsWith('Error: ')) return undefined
  if (classOfError(error) !== 'limit') return reading('error', error, { draft })
  const end = limitEnd(error, null)
  const until = end === null ? null : new Date(end).toISOString()
  return reading('limit', error, { draft, limit: { message: error, until } })
}

/** Joins wrapped lines: a line that reaches the edge was cut there, a shorter one was wrapped at a space. */
function lastParagraph({ top, above }: Box): string {
  const end = above.findLastIndex((line) => line !== '') + 1
  const lines = above.slice(above.lastIndexOf('', end - 1) + 1, end)
  return lines
    .map((line) => line.trimStart() + (line.length >= top.length - 1 ? '' : ' '))
    .join('')
    .trimEnd()
}

/** A box without the cursor in it belongs to something unknown. */
function readRest({ inside, topRow }: Box, cursor: ScreenView['cursor']): ScreenReading {
  const draft = draftIn(inside)
  if (cursor !== undefined && (cursor.y <= topRow || cursor.y > topRow + inside.length))
    return reading('unknown', 'the cursor is not in the box', { draft })
  return reading('idle', draft === null ? 'an empty box' : 'a draft in the box', { draft })
}
