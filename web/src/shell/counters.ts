// Owns the figures beside the places. They stand there for as long as they are known to be true.
import type { Known } from '../data/held/resource.ts'
import { useHealth } from '../data/installation/health.ts'
import { useParks } from '../data/installation/parks.ts'
import { useRuntimes } from '../data/installation/runtimes.ts'

/** By path of the place. `urgent`: it needs a person. */
export function useCounters(): Readonly<
  Record<string, { readonly count: number; readonly urgent?: boolean }>
> {
  const stats = known(useHealth())?.stats
  const gates = known(useParks())?.gates.length
  const runtimes = known(useRuntimes())?.length
  return {
    ...(stats === undefined ? {} : { '/': { count: stats.waiting_input, urgent: true } }),
    ...(stats === undefined ? {} : { '/tasks': { count: stats.total - (runtimes ?? 0) } }),
    ...(gates === undefined ? {} : { '/limits': { count: gates } }),
    ...(runtimes === undefined ? {} : { '/runtimes': { count: runtimes } }),
  }
}

const known = <Value>({ value, stale }: Known<Value>): Value | undefined => (stale ? undefined : value)
