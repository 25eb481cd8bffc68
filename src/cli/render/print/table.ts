import { cells, type Measured, measured, pad, shorten } from './cells.ts'

export type Column<Row> = {
  readonly title: string
  readonly of: (row: Row) => string
  /** The least useful width: a column that would be narrower is left out. `whole`: it is never cut. */
  readonly least: number | 'whole'
  /** Columns with a lower rank are cut or left out first when space is short. */
  readonly rank: number
  /** Takes the width that is left, and is narrowed before all others. */
  readonly isFlexible?: true
  readonly paint?: (text: string, row: Row) => string
}

type Sized<Row> = {
  readonly column: Column<Row>
  readonly values: Measured
  readonly width: number
  readonly least: number
}
const GAP = '  '

/**
 * Lines that never wrap: columns are left out or cut with `…`, lowest rank first. The table is built column by column:
 * in a process that has just started, that is twice as fast as row by row.
 */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): string[] {
  const all = columns.map((column) => sized(column, rows))
  const fitting = narrow(leaveOut(all, width), width)
  const head = fitting.map(({ column, width }) => pad(shorten(column.title, width), width))
  const body = fitting.map((one) => placed(one, rows))
  return [head.join(GAP).trimEnd(), ...rows.map((_, index) => lineOf(body, index))]
}

/** Plain loops are used here and below: they run thousands of times before the engine optimises anything. */
function lineOf(body: readonly (readonly string[])[], index: number): string {
  let line = body[0]![index]!
  for (let n = 1; n < body.length; n++) line += GAP + body[n]![index]!
  return line.trimEnd()
}

function placed<Row>({ column, values, width }: Sized<Row>, rows: readonly Row[]): string[] {
  const { texts, cells } = values
  const padded = texts.map((text, index) => fitted(text, cells[index]!, width))
  const { paint } = column
  return paint === undefined ? padded : padded.map((text, index) => paint(text, rows[index]!))
}

function fitted(text: string, cells: number, width: number): string {
  if (cells === width) return text
  return cells > width ? pad(shorten(text, width), width) : text.padEnd(text.length + width - cells)
}

function sized<Row>(column: Column<Row>, rows: readonly Row[]): Sized<Row> {
  const values = measured(rows.map((row) => column.of(row)))
  let width = cells(column.title)
  for (const size of values.cells) if (size > width) width = size
  return { column, values, width, least: column.least === 'whole' ? width : Math.min(width, column.least) }
}

function leaveOut<Row>(all: readonly Sized<Row>[], width: number): readonly Sized<Row>[] {
  const needed = total(all.map(({ least }) => least))
  if (needed <= width || all.length === 1) return all
  const lowest = Math.min(...all.map(({ column }) => column.rank))
  return leaveOut(
    all.filter(({ column }) => column.rank !== lowest),
    width,
  )
}

function narrow<Row>(all: readonly Sized<Row>[], width: number): Sized<Row>[] {
  let excess = total(all.map((one) => one.width)) - width
  const widths = new Map<Sized<Row>, number>()
  for (const one of all.toSorted((a, b) => firmness(a) - firmness(b))) {
    const floor = all.length === 1 && one.column.least !== 'whole' ? 0 : one.least
    const given = Math.max(0, Math.min(excess, one.width - floor))
    widths.set(one, one.width - given)
    excess -= given
  }
  return all.map((one) => ({ ...one, width: widths.get(one) ?? one.width }))
}

/** The column with the lowest value is narrowed first. */
const firmness = <Row>({ column: { isFlexible, rank } }: Sized<Row>) =>
  isFlexible ? Number.NEGATIVE_INFINITY : rank

const total = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1))
