// Owns the figures beside the places.
import { useHealth } from '../data/house/health.ts'
import { useParks } from '../data/house/parks.ts'
import { useRuntimes } from '../data/house/runtimes.ts'

/** By path of the place. `urgent`: it needs a person. */
export function useCounters(): Readonly<
  Record<string, { readonly count: number; readonly urgent?: boolean }>
> {
  const stats = useHealth().value?.stats
  const gates = useParks().value?.gates.length
  const runtimes = useRuntimes().value?.length
  return {
    ...(stats === undefined ? {} : { '/': { count: stats.waiting_input, urgent: true } }),
    ...(gates === undefined ? {} : { '/limits': { count: gates } }),
    ...(runtimes === undefined ? {} : { '/runtimes': { count: runtimes } }),
  }
}
