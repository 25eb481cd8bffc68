// Owns what is written to the terminal: only the rows that differ from what it shows, all of them at once.
import { cells, shorten } from '../../render/print/cells.ts'
import { drawable, type Line, type Style } from './lines.ts'

export type Size = { readonly columns: number; readonly rows: number }
/** Both count from 0. */
export type Place = { readonly row: number; readonly column: number }
/** `cursor`: where a person types; null hides it. */
export type Frame = { readonly lines: readonly Line[]; readonly cursor: Place | null }

/** What the terminal shows now. */
export type Shown = {
  readonly size: Size
  readonly rows: readonly string[]
  readonly cursor: Place | null
}

/**
 * The bytes that turn what is shown into the frame; none when it is the same. They come within one synchronized update
 * (mode 2026): a terminal that knows it draws all of them at once, others ignore the mark.
 */
export function paint(
  before: Shown | null,
  { lines, cursor }: Frame,
  size: Size,
  hasColour: boolean,
): { readonly bytes: string; readonly shown: Shown } {
  const known = before !== null && isSameSize(before.size, size) ? before : null
  const rows = Array.from({ length: size.rows }, (_, at) =>
    rowBytes(lines[at] ?? [], size.columns, hasColour),
  )
  const changed = rows.flatMap((row, at) => (known?.rows[at] === row ? [] : `\x1b[${at + 1};1H${row}`))
  const shown = { size, rows, cursor }
  const drawn = `${known === null ? '\x1b[0m\x1b[2J' : ''}${changed.join('')}`
  const placed = cursorBytes(known, cursor, drawn !== '')
  if (drawn + placed === '') return { bytes: '', shown }
  const hidden = drawn !== '' && known?.cursor ? '\x1b[?25l' : ''
  return { bytes: `\x1b[?2026h${hidden}${drawn}${placed}\x1b[?2026l`, shown }
}

const isSameSize = (a: Size, b: Size) => a.columns === b.columns && a.rows === b.rows

function cursorBytes(before: Shown | null, cursor: Place | null, hasMoved: boolean): string {
  if (cursor === null) return before === null || before.cursor !== null ? '\x1b[?25l' : ''
  const stays = before?.cursor?.row === cursor.row && before.cursor.column === cursor.column
  return stays && !hasMoved ? '' : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`
}

const CODES: Readonly<Record<Style, string>> = {
  bold: '1',
  dim: '2',
  red: '31',
  green: '32',
  yellow: '33',
  cyan: '36',
  title: '1;36',
  needs_you: '1;33',
  selected: '7',
}
const PLAIN = /^[\x20-\x7e]*$/

/**
 * A row, whatever was there before. Terminals disagree about the width of many characters. So a row that has others
 * than ASCII is erased first, and every part after such a text is put at its own column: a wrong guess moves nothing else.
 */
function rowBytes(line: Line, columns: number, hasColour: boolean): string {
  let column = 0
  let bytes = ''
  let isPlain = true
  for (const { text, style } of line) {
    const part = within(drawable(text), columns - column)
    if (part === '') continue
    bytes += style === undefined || !hasColour ? part : `\x1b[${CODES[style]}m${part}\x1b[0m`
    column += cells(part)
    if (PLAIN.test(part)) continue
    isPlain = false
    if (column < columns) bytes += `\x1b[${column + 1}G`
  }
  if (!isPlain) return `\x1b[2K${bytes}`
  // In the last column the cursor stands on the last character, which would be erased, too.
  return column < columns ? `${bytes}\x1b[K` : bytes
}

const within = (text: string, width: number) =>
  cells(text) <= width ? text : shorten(text, Math.max(0, width))
