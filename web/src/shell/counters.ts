// Owns the figures beside the places. They stand there for as long as they are known to be true.
import type { HealthJson } from '../../../src/protocol/json/daemon-json.ts'
import type { Known } from '../data/held/resource.ts'
import { useHealth } from '../data/installation/health.ts'
import { useParks } from '../data/installation/parks.ts'
import { useRuntimes } from '../data/installation/runtimes.ts'
import { useBlockedThreads } from '../data/installation/threads.ts'

/** By path of the place. `urgent`: it needs a person. */
export function useCounters(): Readonly<
  Record<string, { readonly count: number; readonly urgent?: boolean }>
> {
  const health = known(useHealth())
  const stats = health?.stats
  const blocked = known(useBlockedThreads())?.length ?? 0
  const gates = known(useParks())?.gates.length
  const runtimes = known(useRuntimes())?.length
  return {
    ...(health === undefined ? {} : { '/': { count: needsYou(health) + blocked, urgent: true } }),
    '/threads': { count: blocked, urgent: true },
    ...(stats === undefined ? {} : { '/tasks': { count: stats.total - (runtimes ?? 0) } }),
    ...(gates === undefined ? {} : { '/limits': { count: gates } }),
    ...(runtimes === undefined ? {} : { '/runtimes': { count: runtimes } }),
  }
}

/** How many things need a person, counted as the first screen counts them. */
const needsYou = ({ stats, tmux_outage: outage }: HealthJson) =>
  stats.waiting_input + (outage === null || outage.waiting.length === 0 ? 0 : 1)

const known = <Value>({ value, stale }: Known<Value>): Value | undefined => (stale ? undefined : value)
