// Owns the drill's times: computed from the events of the task in the store.
import { text } from 'node:stream/consumers'
import type { Struck } from './blows.ts'
import type { Scratch } from './scratch.ts'

export type Times = { readonly detectMs: number | null; readonly resumeMs: number | null }

/** From the blow until it was noticed, and until the process started that finished the work, if that is a new one. */
export function measure({ at, seenAt }: Struck, events: readonly number[], lastStart: number | null): Times {
  const noted = seenAt ?? events.find((event) => event >= at)
  return {
    detectMs: noted === undefined ? null : noted - at,
    resumeMs: lastStart === null || lastStart < at ? null : lastStart - at,
  }
}

/** Epoch ms when each event of a task was stored; only for a task that has ended, for else the stream stays open. */
export async function eventTimes({ daemon }: Scratch, id: string): Promise<number[]> {
  const stream = await text(await daemon.stream('GET /api/tasks/:id/events', { id, query: {} }))
  return [...stream.matchAll(/(?<=^data: ).*$/gm)].map(([data]) => (JSON.parse(data) as { at: number }).at)
}

export function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b)
  const half = known.length / 2
  if (known.length === 0) return null
  const middle = known.slice(Math.ceil(half) - 1, Math.floor(half) + 1)
  return Math.round(middle.reduce((sum, value) => sum + value, 0) / middle.length)
}
