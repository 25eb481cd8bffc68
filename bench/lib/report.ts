// Owns the table: what a row says, and how it is printed and handed to the script that gathers all of them.
import { median, quantile } from './samples.ts'

export type Row = {
  readonly what: string
  readonly floor: string
  readonly measured: string
  readonly ratio: string
  readonly budget: string
  readonly met: string
}

const HEAD: Row = {
  what: 'what',
  floor: 'floor',
  measured: 'measured',
  ratio: 'ratio',
  budget: 'budget',
  met: 'met',
}

export const ms = (value: number) => `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ms`
const spread = (samples: readonly number[]) => {
  const rare = samples.length >= 100 ? 0.99 : 0.95
  return `${ms(median(samples))} (p${rare * 100} ${ms(quantile(samples, rare))})`
}
const times = (ratio: number) => `${ratio.toFixed(ratio < 10 ? 2 : 0)}×`

/** Medians compared. Without a budget the row is there to explain another one. */
export function ratioRow(
  what: string,
  floor: readonly number[],
  measured: readonly number[],
  most?: number,
): Row {
  const ratio = median(measured) / median(floor)
  return row(
    { what, floor: ms(median(floor)), measured: spread(measured), ratio: times(ratio) },
    most && {
      budget: `≤ ${most.toFixed(1)}×`,
      met: ratio <= most,
    },
  )
}

/** A time that has to stay below a limit, at the median or at a rarer quantile. */
export function limitRow(
  what: string,
  floor: readonly number[],
  measured: readonly number[],
  limit?: { readonly share: number; readonly ms: number },
): Row {
  const share = limit?.share ?? 0.5
  const ratio = quantile(measured, share) / quantile(floor, share)
  return row(
    { what, floor: spread(floor), measured: spread(measured), ratio: times(ratio) },
    limit && {
      budget: `p${share * 100} < ${limit.ms} ms`,
      met: quantile(measured, share) < limit.ms,
    },
  )
}

/** A time that contains the floor's: what it has beyond that, at the median, has to stay below a limit. */
export function overRow(
  what: string,
  floor: readonly number[],
  measured: readonly number[],
  most: number,
): Row {
  const over = median(measured) - median(floor)
  const ratio = times(median(measured) / median(floor))
  return row(
    { what, floor: spread(floor), measured: spread(measured), ratio },
    { budget: `p50 < floor + ${most} ms`, met: over < most },
  )
}

/** How fast so many bytes went through, at the median; it has to be at least so many MB a second. */
export function speedRow(
  what: string,
  bytes: number,
  floor: readonly number[],
  measured: readonly number[],
  least: number,
): Row {
  const speed = (samples: readonly number[]) => bytes / 1000 / median(samples)
  const show = (mbPerSecond: number) => `${mbPerSecond.toFixed(0)} MB/s`
  const ratio = times(speed(measured) / speed(floor))
  return row(
    { what, floor: show(speed(floor)), measured: show(speed(measured)), ratio },
    { budget: `≥ ${show(least)}`, met: speed(measured) >= least },
  )
}

/** An amount that is no time. */
export function amountRow(
  what: string,
  floor: number | null,
  measured: number,
  show: (amount: number) => string,
  limit?: number,
): Row {
  const ratio = floor === null || floor === 0 ? '' : times(measured / floor)
  return row(
    { what, floor: floor === null ? '' : show(floor), measured: show(measured), ratio },
    limit !== undefined && {
      budget: `≤ ${show(limit)}`,
      met: measured <= limit,
    },
  )
}

type Verdict = { readonly budget: string; readonly met: boolean }
const row = (facts: Omit<Row, 'budget' | 'met'>, verdict: Verdict | false | 0 | undefined): Row =>
  verdict
    ? { ...facts, budget: verdict.budget, met: verdict.met ? 'yes' : '**no**' }
    : { ...facts, budget: '', met: '' }

/** Prints the table, and sends it to the parent where there is one. */
export function report(question: string, rows: readonly Row[]): void {
  console.log(`\n${question}\n\n${tableOf(rows)}`)
  process.send?.({ question, table: tableOf(rows) })
}

function tableOf(rows: readonly Row[]): string {
  const names = Object.keys(HEAD) as (keyof Row)[]
  const width = (name: keyof Row) => Math.max(...[HEAD, ...rows].map((row) => row[name].length))
  const line = (row: Row) => `| ${names.map((name) => row[name].padEnd(width(name))).join(' | ')} |`
  const rule = `|${names.map((name) => '-'.repeat(width(name) + 2)).join('|')}|`
  return [line(HEAD), rule, ...rows.map(line)].join('\n')
}
