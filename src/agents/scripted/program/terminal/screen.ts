// Owns the layout of the screen. Pure: a view and a size become lines and a cursor.
import { harmless, widthOf, wrapText } from './wrap-text.ts'

export type View = {
  readonly title: string
  readonly transcript: readonly string[]
  /** What the agent does, in words: idle, working, asking or limited. */
  readonly status: string
  readonly queued: readonly string[]
  readonly box: string
  /** Shown in the place of the box. */
  readonly dialog?: {
    readonly question: string
    readonly options: readonly string[]
    readonly chosen: number
  }
  readonly hint: string
  readonly clock?: string
}
export type Size = { readonly columns: number; readonly rows: number }
export type Frame = {
  readonly lines: readonly string[]
  readonly cursor?: { readonly row: number; readonly column: number }
}

const PROMPT = '> '

/** The parts are placed from the bottom up; the transcript gets the rows that are left. */
export function layOut(view: View, size: Size): Frame {
  const rule = '─'.repeat(size.columns)
  const middle = view.dialog ? dialogLines(view.dialog, size) : boxLines(view.box, size)
  const foot = [harmless(view.hint), ...(view.clock === undefined ? [] : [harmless(view.clock)])]
  const queued = view.queued.map((text) => `queued: ${harmless(text.replaceAll('\n', ' '))}`)
  const below = [harmless(view.status), ...queued, rule, ...middle, rule, ...foot]
  const above = transcriptLines(view, { ...size, rows: Math.max(0, size.rows - 1 - below.length) })
  const lines = [harmless(view.title), ...above, ...below].slice(-size.rows)
  if (view.dialog) return { lines }
  const row = lines.length - foot.length - 2
  return { lines, cursor: { row, column: widthOf(middle.at(-1) ?? '') } }
}

/**
 * The escape sequences that draw every line in its place, without scrolling, and then place the cursor. Lines that are as
 * in the frame `before` are left out.
 */
export function paint({ lines, cursor }: Frame, before?: Frame): string {
  // Each line is cleared before it is written: after a full line, the cursor is still on its last column.
  const rows = lines.map((line, row) =>
    line === before?.lines[row] ? '' : `\x1b[${row + 1};1H\x1b[2K${line}`,
  )
  const at = cursor ? `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h` : ''
  return `\x1b[?25l${rows.join('')}${at}`
}

function transcriptLines(view: View, { columns, rows }: Size): string[] {
  if (rows === 0) return []
  const shown = view.transcript.slice(-rows).flatMap((text) => wrapText(tail(text, columns, rows), columns))
  const last = shown.slice(-rows)
  return [...last, ...Array<string>(rows - last.length).fill('')]
}

/** Of a long text, the end is shown, because new text is typed there. */
function boxLines(box: string, { columns, rows }: Size): string[] {
  const lines = wrapText(tail(box, columns, rows), columns - PROMPT.length - 1)
  return lines.map((line, at) => (at === 0 ? PROMPT : '  ') + line).slice(-Math.max(1, rows >> 1))
}

function dialogLines({ question, options, chosen }: NonNullable<View['dialog']>, size: Size): string[] {
  const choices = options.map((option, at) => `${at === chosen ? '❯' : ' '} ${at + 1}. ${harmless(option)}`)
  return [...wrapText(tail(question, size.columns, size.rows), size.columns), ...choices]
}

/** At most a screenful: more is never shown, and need not be wrapped. */
const tail = (text: string, columns: number, rows: number) => text.slice(-columns * rows)
