import { cells, type Measured, measured, pad, shorten } from './cells.ts'

export type Column<Row> = {
  readonly title: string
  readonly of: (row: Row) => string
  /** Narrower than this it says nothing: then it is left out. */
  readonly least: number
  /** Who gives way first when space is short: the lowest. */
  readonly rank: number
  readonly paint?: (text: string, row: Row) => string
}

type Sized<Row> = {
  readonly column: Column<Row>
  readonly values: readonly Measured[]
  readonly width: number
}
const GAP = '  '

/** Lines that never wrap: columns are left out or cut with `…`, lowest rank first. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): string[] {
  const all = columns.map((column) => sized(column, rows))
  const fitting = narrow(leaveOut(all, width), width)
  const head = fitting.map(({ column, width }) => placed(measured(column.title), width))
  return [head.join(GAP).trimEnd(), ...rows.map((row, index) => rowLine(fitting, row, index))]
}

/** A plain loop: a list has thousands of these. */
function rowLine<Row>(fitting: readonly Sized<Row>[], row: Row, index: number): string {
  let line = ''
  for (const { column, values, width } of fitting) {
    const text = placed(values[index]!, width)
    line += (line === '' ? '' : GAP) + (column.paint?.(text, row) ?? text)
  }
  return line.trimEnd()
}

const placed = ({ text, cells }: Measured, width: number) =>
  cells > width ? pad(shorten(text, width), width) : text + ' '.repeat(width - cells)

function sized<Row>(column: Column<Row>, rows: readonly Row[]): Sized<Row> {
  const values = rows.map((row) => measured(column.of(row)))
  const width = values.reduce((most, value) => Math.max(most, value.cells), cells(column.title))
  return { column, values, width }
}

function leaveOut<Row>(all: readonly Sized<Row>[], width: number): readonly Sized<Row>[] {
  const needed = total(all.map((one) => Math.min(one.width, one.column.least)))
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
  for (const one of all.toSorted((a, b) => a.column.rank - b.column.rank)) {
    const floor = all.length === 1 ? 0 : one.column.least
    const given = Math.max(0, Math.min(excess, one.width - floor))
    widths.set(one, one.width - given)
    excess -= given
  }
  return all.map((one) => ({ ...one, width: widths.get(one)! }))
}

const total = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1))
