// Owns how time is sampled: in turns, so that a noisy minute falls on the floor and the measured alike.
const WARM_UP_ROUNDS = 2

/** Each measure once per round, in milliseconds. The first rounds fill caches and are dropped. */
export async function interleaved<Name extends string>(
  rounds: number,
  measures: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++)
    for (const name of names) {
      const ms = await measures[name]()
      if (round >= 0) samples[name].push(ms)
    }
  return samples
}

export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** The smallest sample that at least this share of them does not exceed. */
export function quantile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new Error('nothing was measured')
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1]!
}

export const median = (samples: readonly number[]) => quantile(samples, 0.5)
