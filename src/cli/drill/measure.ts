// Owns the drill's figures: from the task's own events, as the store has them.
import { text } from 'node:stream/consumers'
import type { Struck } from './blows.ts'
import type { Scratch } from './scratch.ts'

export type TaskEventSeen = { readonly kind: string; readonly at: number }
export type Times = { readonly detectMs: number | null; readonly resumeMs: number | null }

/** `detect`: blow → noted. `resume`: blow → the process exists that brought the work to its end; null where none was needed. */
export function measure(events: readonly TaskEventSeen[], { at, seenAt }: Struck): Times {
  const after = events.filter((event) => event.at >= at)
  const noted = seenAt ?? after[0]?.at
  const resumed = after.findLast(({ kind }) => kind === 'task_agent_started')?.at
  return {
    detectMs: noted === undefined ? null : noted - at,
    resumeMs: resumed === undefined ? null : resumed - at,
  }
}

/** All there were; of a task that has ended. */
export async function eventsOf({ daemon }: Scratch, id: string): Promise<TaskEventSeen[]> {
  const stream = await text(await daemon.stream('GET /api/tasks/:id/events', { id }))
  return stream
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => ({
      kind: /^event: (.*)$/m.exec(block)?.[1] ?? '',
      at: (JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}') as { at: number }).at,
    }))
}

export function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b)
  const half = known.length / 2
  if (known.length === 0) return null
  return Math.round((known[Math.ceil(half) - 1]! + known[Math.floor(half)]!) / 2)
}
