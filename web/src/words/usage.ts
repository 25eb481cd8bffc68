// Owns what an agent reported of tokens and cost, read from its output. Pure.

/** Sums after each report. */
export type UsagePoint = { readonly tokensIn: number; readonly tokensOut: number; readonly costUsd: number }

const LINE = /^usage: (\d+) tokens in, (\d+) out(?:, \$(\d+(?:\.\d+)?))?/gm

export function usageOf(output: string): UsagePoint[] {
  const points: UsagePoint[] = []
  for (const [, tokensIn, tokensOut, cost = '0'] of output.matchAll(LINE)) {
    const last = points.at(-1) ?? { tokensIn: 0, tokensOut: 0, costUsd: 0 }
    points.push({
      tokensIn: last.tokensIn + Number(tokensIn),
      tokensOut: last.tokensOut + Number(tokensOut),
      costUsd: last.costUsd + Number(cost),
    })
  }
  return points
}
