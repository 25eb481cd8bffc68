// Owns what an agent used, summed over its reports. Pure.
import type { JournalEvents } from '../../../src/domain/journal/events.ts'

/** Sums after each report. `at`: epoch ms. */
export type UsagePoint = {
  readonly at: number
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
}

type Used = Omit<JournalEvents['usage_reported'], 'run_id'>
type Report = Used & { readonly at: number }

/**
 * `whole` is what the task used in all: what its reports lack came before them, in reports that are not kept any more.
 * `begunAt`, epoch ms: where nothing is lacking, the line begins there at zero.
 */
export function usageOf(reports: readonly Report[], whole: Used, begunAt: number | null): UsagePoint[] {
  const before = {
    tokensIn: lacking(whole.tokens_in, reports, 'tokens_in'),
    tokensOut: lacking(whole.tokens_out, reports, 'tokens_out'),
    costUsd: lacking(whole.cost_usd, reports, 'cost_usd'),
  }
  const points: UsagePoint[] = []
  let sum = before
  for (const { at, tokens_in, tokens_out, cost_usd } of reports) {
    sum = {
      tokensIn: sum.tokensIn + tokens_in,
      tokensOut: sum.tokensOut + tokens_out,
      costUsd: sum.costUsd + cost_usd,
    }
    points.push({ at, ...sum })
  }
  const isWhole = before.tokensIn === 0 && before.tokensOut === 0 && before.costUsd === 0
  return isWhole && begunAt !== null ? [{ at: begunAt, ...before }, ...points] : points
}

/** The last sums stand until `now`: nothing was used since. */
export function untilNow(points: readonly UsagePoint[], now: number): readonly UsagePoint[] {
  const last = points.at(-1)
  return last === undefined || last.at >= now ? points : [...points, { ...last, at: now }]
}

/** Sums of decimals are off by a little: less than a thousandth of a cent is nothing. */
const NOTHING = 0.00001

function lacking(whole: number, reports: readonly Report[], what: keyof Used): number {
  const rest = whole - reports.reduce((sum, report) => sum + report[what], 0)
  return rest < NOTHING ? 0 : rest
}
