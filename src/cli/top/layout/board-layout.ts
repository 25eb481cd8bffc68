// Owns the whole screen: first line, list, the selected session, last line; or a page.

import type { BoardState } from '../input/state.ts'
import type { BoardModel, Held } from '../model/board-model.ts'
import { type Line, line } from '../screen/lines.ts'
import type { Frame, Size } from '../screen/painter.ts'
import { answerLines, detailLines, detailNeeds, questionLines } from './detail-layout.ts'
import { footer } from './footer.ts'
import { headerLine, isStale, type Truth } from './header.ts'
import { columnsFor, listItems, listLines, scrolled } from './list-layout.ts'
import type { Now } from './row-text.ts'

export const LEAST: Size = { columns: 40, rows: 10 }
export const isTooSmall = ({ columns, rows }: Size) => columns < LEAST.columns || rows < LEAST.rows

/** What the layout is made from. */
export type Seen = {
  readonly model: BoardModel
  /** Those that the filter lets through, in the order of the board. */
  readonly rows: readonly Held[]
  readonly truth: Truth
  readonly now: Now
}

export function tooSmall({ columns, rows }: Size): Frame {
  const text = [
    `${columns}×${rows} is too small;`,
    `the board needs ${LEAST.columns}×${LEAST.rows}.`,
    'q leaves',
  ]
  return { lines: text.map((one) => line(one)), cursor: null }
}

/** How many lines are for the selected session. A question that is answered gets what it needs, up to most of the screen. */
function detailHeight({ columns, rows }: Size, prompt: BoardState['prompt']): number {
  const usual = rows >= 20 ? Math.min(10, Math.floor(rows / 3) - 1) : rows >= 15 ? 4 : 0
  if (prompt?.kind !== 'answer') return usual
  const needed = questionLines(prompt.question, columns).length + 2
  return Math.max(usual, Math.min(needed, Math.floor((rows - 2) * 0.7)))
}

export const listHeight = (size: Size, prompt: BoardState['prompt']) =>
  size.rows - 2 - detailHeight(size, prompt)

/** `top`: the first line of the list that was drawn, for the next time. */
export function boardFrame(
  state: BoardState,
  seen: Seen,
  size: Size,
): { readonly frame: Frame; readonly top: number } {
  const { model, rows, truth, now } = seen
  const { columns: width } = size
  const items = listItems(rows, { read: model.count('done'), all: model.ended })
  const lower = lowerHeight(state, seen, size, items.length)
  const height = size.rows - 2 - lower
  const selected = rows.findIndex(({ row }) => row.session_id === state.selected)
  const top = scrolled(state.top, items, selected, height)
  const columns = columnsFor(rows, width, now)
  const list =
    rows.length === 0
      ? emptyList(model, state.filter, height)
      : listLines({ rows, items, columns }, { top, height, selected, width, now })
  const { lines: last, cursorColumn } = footer(state.prompt, state.note, state.filter, width)
  const all = [...list, ...below(state, seen, size, lower)].slice(0, size.rows - 1 - last.length)
  const lines = [headerLine(model, truth, width), ...(isStale(truth) ? all.map(dimmed) : all), ...last]
  const cursor = cursorColumn === null ? null : { row: size.rows - 1, column: cursorColumn }
  return { frame: { lines, cursor }, top }
}

/** The selected session also gets the lines that a short list leaves empty, as many as it needs. */
function lowerHeight({ prompt, selected }: BoardState, { model, now }: Seen, size: Size, listed: number) {
  const height = detailHeight(size, prompt)
  if (height === 0 || prompt?.kind === 'answer' || selected === null) return height
  const left = size.rows - 2 - listed
  return Math.max(height, Math.min(detailNeeds(model.get(selected), size.columns, now), left))
}

function below({ prompt, selected }: BoardState, { model, now }: Seen, size: Size, height: number): Line[] {
  if (prompt?.kind === 'answer')
    return answerLines(model.get(prompt.id), prompt.question, height, size.columns)
  return detailLines(selected === null ? undefined : model.get(selected), height, size.columns, now)
}

/** What is out of date is dimmed, never blanked; where the selection is stays visible. */
const dimmed = (all: Line): Line =>
  all.map(({ text, style }) => ({ text, style: style === 'selected' ? style : 'dim' }))

function emptyList(model: BoardModel, filter: string, height: number): Line[] {
  const text =
    filter === ''
      ? [
          'No sessions yet. In a project of yours, start one:',
          '',
          '  holdfast run "fix the failing login test"',
        ]
      : [`Nothing has all of these words: ${filter}`, ...searched(model), 'Esc clears the filter.']
  return Array.from({ length: height }, (_, at) => line(at === 0 ? '' : ` ${text[at - 1] ?? ''}`, 'dim'))
}

/** A filter looks only at what the board has read. */
function searched(model: BoardModel): string[] {
  const read = model.rows().length
  const all = read + Math.max(0, model.ended - model.count('done'))
  const looked = `Looked at ${read} of ${all} session${all === 1 ? '' : 's'}.`
  return read < all ? [looked, 'End reads older ones.'] : [looked]
}
