// Owns how busy an agent was of late: its tool calls, counted in equal parts of a time. Pure.
import type { RunStoryJson } from '../../../src/protocol/json/recovery-json.ts'
import { timeOf } from './time.ts'

const ACTIVITY_MS = 15 * 60_000
export const ACTIVITY_PARTS = 30

/** How many calls went on in each part, the oldest first; null when none is known in all that time. */
export function activityOf(runs: readonly RunStoryJson[], now: number): readonly number[] | null {
  const part = ACTIVITY_MS / ACTIVITY_PARTS
  const begin = now - ACTIVITY_MS
  const counts = new Array<number>(ACTIVITY_PARTS).fill(0)
  const partOf = (at: number) => Math.min(ACTIVITY_PARTS - 1, Math.floor((at - begin) / part))
  for (const { steps, state } of runs)
    for (const { at, ended_at } of steps) {
      if (at === null) continue
      // A call whose end was never heard of goes on only while its run does.
      const end = ended_at === null ? (state === 'live' ? now : timeOf(at)) : timeOf(ended_at)
      if (end < begin) continue
      for (let n = Math.max(0, partOf(timeOf(at))); n <= partOf(end); n += 1) counts[n] = counts[n]! + 1
    }
  return counts.some((count) => count > 0) ? counts : null
}
