// Owns the list: headings and rows in columns that fit the width.
import { cells } from '../../render/print/cells.ts'
import type { Held } from '../model/board-model.ts'
import { type Section, sectionOf } from '../model/sections.ts'
import { EMPTY, fitted, type Line, lineCells } from '../screen/lines.ts'
import { aboutText, ageText, labelOf, markOf, type Now, stateText, styleOf } from './row-text.ts'

/** A heading, or a row by its place among the rows. */
export type ListItem = Heading | { readonly row: number }
/** `count`: how many rows stand below it. `more`: why the first line tells another number; empty where it does not. */
type Heading = { readonly heading: Section; readonly count: number; readonly more: string }

/** How many sessions that have ended the board has read, and how many there are. */
export type Ended = { readonly read: number; readonly all: number }

/** Headings stand above the first row of their part. */
export function listItems(rows: readonly Held[], ended: Ended): ListItem[] {
  const counts = new Map<Section, number>()
  for (const { row } of rows) counts.set(sectionOf(row), (counts.get(sectionOf(row)) ?? 0) + 1)
  let before: Section | undefined
  return rows.flatMap(({ row }, at): ListItem[] => {
    const heading = sectionOf(row)
    const isFirst = heading !== before
    before = heading
    if (!isFirst) return [{ row: at }]
    const count = counts.get(heading) ?? 0
    return [{ heading, count, more: heading === 'done' ? notAllEnded(count, ended) : '' }, { row: at }]
  })
}

/** Only the newest sessions that have ended are read at first: the number below the heading is not all of them. */
function notAllEnded(count: number, { read, all }: Ended): string {
  if (read >= all) return ''
  return count === read ? ` of ${all}, the newest` : ` among the newest ${read} of ${all}`
}

/** The first line to show, so that the selected one is in sight, with the heading above it where it is the first. */
export function scrolled(top: number, items: readonly ListItem[], selected: number, height: number): number {
  const at = items.findIndex((item) => 'row' in item && item.row === selected)
  const before = items[at - 1]
  const above = before !== undefined && 'heading' in before ? at - 1 : Math.max(0, at)
  const highest = Math.max(0, items.length - height)
  return Math.min(highest, Math.max(Math.min(top, above), at - height + 1))
}

export type Columns = {
  readonly gap: number
  readonly label: number
  readonly agent: number
  readonly state: number
  readonly age: number
}
const AGE = 7

/** From all rows, not only those in sight: nothing moves while one scrolls. */
export function columnsFor(rows: readonly Held[], width: number, now: Now): Columns {
  const isWide = width >= 100
  let label = 8
  let agent = 5
  let state = 8
  for (const held of rows) {
    label = Math.max(label, cells(labelOf(held.row)))
    agent = Math.max(agent, cells(held.row.agent))
    state = Math.max(state, cells(stateText(held, now)))
  }
  return {
    gap: isWide ? 2 : 1,
    label: Math.min(label, isWide ? 34 : width >= 60 ? 24 : 14),
    agent: isWide ? Math.min(agent, 14) : 0,
    state: Math.min(state, isWide ? 24 : width >= 60 ? 18 : 16),
    age: width >= 60 ? AGE : 0,
  }
}

export type RowStyle = { readonly isSelected: boolean; readonly width: number; readonly now: Now }

function rowLine(held: Held, columns: Columns, { isSelected, width, now }: RowStyle): Line {
  const section = sectionOf(held.row)
  const state = styleOf(held)
  const gap = ' '.repeat(columns.gap)
  const cell = (text: string, cellWidth: number) => (cellWidth === 0 ? '' : fitted(text, cellWidth) + gap)
  const before: Line = [
    { text: isSelected ? '▸ ' : '  ' },
    { text: `${markOf(held, section)} `, style: state },
    { text: cell(labelOf(held.row), columns.label), style: section === 'needs_you' ? 'bold' : undefined },
    { text: cell(held.row.agent, columns.agent), style: 'dim' },
    { text: cell(stateText(held, now), columns.state), style: state },
    { text: cell(ageText(held, now).padStart(columns.age), columns.age), style: 'dim' },
  ]
  const left = Math.max(0, width - lineCells(before))
  const parts = [...before, { text: fitted(aboutText(held).replace(/\s+/g, ' '), left) }]
  return isSelected ? parts.map(({ text }) => ({ text, style: 'selected' })) : parts
}

const HEADINGS: Readonly<Record<Section, string>> = {
  needs_you: 'NEEDS YOU',
  at_work: 'AT WORK',
  waiting: 'WAITING',
  done: 'DONE',
}

/** How the others are read is said where there is room for it. */
const READ_MORE = ' · End reads older ones'

function headingLine({ heading, count, more }: Heading, width: number): Line {
  const name = `${HEADINGS[heading]} `
  const told = `${count}${more}`
  const hasRoom = more !== '' && cells(name + told + READ_MORE) <= width
  return [
    { text: name, style: heading === 'needs_you' ? 'needs_you' : 'title' },
    { text: hasRoom ? told + READ_MORE : told, style: 'dim' },
  ]
}

export function listLines(
  { rows, items, columns }: { rows: readonly Held[]; items: readonly ListItem[]; columns: Columns },
  {
    top,
    height,
    selected,
    width,
    now,
  }: Omit<RowStyle, 'isSelected'> & { top: number; height: number; selected: number },
): Line[] {
  return Array.from({ length: height }, (_, at) => {
    const item = items[top + at]
    if (item === undefined) return EMPTY
    if ('heading' in item) return headingLine(item, width)
    const held = rows[item.row]
    return held === undefined
      ? EMPTY
      : rowLine(held, columns, { isSelected: item.row === selected, width, now })
  })
}
