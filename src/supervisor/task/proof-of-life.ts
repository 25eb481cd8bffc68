// Owns the judgement whether a silent agent lives, from what was seen before and what is seen now. Pure.
// Only monotonic time counts, and only while the daemon looked: neither a clock that jumps nor a pause makes an agent
// stuck.

import { clockProvesLife } from '../../domain/run/statusline.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import { durationText } from '../../domain/text/duration.ts'

/** What one look saw of an agent. Null: not looked at, or not visible. Unknown is not dead. */
export type Sight = {
  /** Bytes of events and stderr that the agent has written. */
  readonly written: number
  /** Heartbeats received from the agent. */
  readonly beats: number
  /** Epoch seconds when the pane last showed something new. */
  readonly drawnAt: number | null
  /** The clock in the agent's statusline, as it is shown. */
  readonly clock: string | null
  /** CPU time of all processes of the run. */
  readonly cpuMs: number | null
}

export type Life = {
  /** The last known value of each sign. */
  readonly marks: Sight
  /** Counted time since the last proof of life. */
  readonly silentMs: number
  /** `silentMs` at the last look that also saw CPU times. */
  readonly closelyMs: number
  /** Monotonic time of the last look. */
  readonly mono: number
  /** What proved life in the last look; null when nothing did. */
  readonly proof: Evidence | null
}

export type Verdict = 'alive' | 'quiet' | 'stuck'
export type Judged = { readonly verdict: Verdict; readonly life: Life }

export type Terms = {
  /** Monotonic time of this look. */
  readonly mono: number
  /** At most so much of a gap between two looks counts as silence: a longer one was a pause of the daemon or the machine. */
  readonly longestGapMs: number
  /** Silence after which the agent is stuck. */
  readonly limitMs: number
}

/** More CPU time than this between two looks proves life. The timers of an agent at rest take less. */
const CPU_PROOF_MS = 50

export function judge(before: Life | null, seen: Sight, { mono, longestGapMs, limitMs }: Terms): Judged {
  if (before === null)
    return { verdict: 'alive', life: { marks: seen, silentMs: 0, closelyMs: 0, mono, proof: null } }
  const { marks } = before
  const proof = proofIn(marks, seen)
  // CPU time from before this silence says nothing about it, so an older value is dropped.
  if (proof !== null)
    return {
      verdict: 'alive',
      life: { marks: { ...known(marks, seen), cpuMs: seen.cpuMs }, silentMs: 0, closelyMs: 0, mono, proof },
    }
  const silentMs = before.silentMs + Math.min(mono - before.mono, longestGapMs)
  const closelyMs = seen.cpuMs === null ? before.closelyMs : silentMs
  const isSure = seen.cpuMs !== null && marks.cpuMs !== null
  return {
    verdict: isSure && silentMs >= limitMs ? 'stuck' : 'quiet',
    life: { marks: known(marks, seen), silentMs, closelyMs, mono, proof: null },
  }
}

/** The strongest sign of life; null when there is none. */
function proofIn(before: Sight, now: Sight): Evidence | null {
  if (clockProvesLife(before.clock, now.clock))
    return saw('screen', `its clock went from ${before.clock ?? 'nothing'} to ${now.clock}`)
  if (now.written > before.written) return saw('agent', `it wrote ${now.written - before.written} bytes`)
  if (now.beats > before.beats) return saw('agent', 'it sent a heartbeat')
  if (now.drawnAt !== null && now.drawnAt !== before.drawnAt) return saw('screen', 'something new was drawn')
  const spentMs = before.cpuMs === null || now.cpuMs === null ? 0 : now.cpuMs - before.cpuMs
  return spentMs > CPU_PROOF_MS ? saw('process', `its processes took ${spentMs} ms of CPU time`) : null
}

const known = (before: Sight, now: Sight): Sight => ({
  written: now.written,
  beats: now.beats,
  drawnAt: now.drawnAt ?? before.drawnAt,
  clock: now.clock ?? before.clock,
  cpuMs: now.cpuMs ?? before.cpuMs,
})

/** The evidence for the verdict `stuck`. */
export const signsOfNone = ({ marks, silentMs }: Life): Evidence[] => [
  saw('process', `its processes took no more than ${CPU_PROOF_MS} ms of CPU time between two looks`),
  saw('agent', `it wrote nothing for ${durationText(wholeSeconds(silentMs))}`),
  ...(marks.drawnAt === null ? [] : [saw('screen', 'nothing new was drawn')]),
  ...(marks.clock === null ? [] : [saw('screen', `its clock still shows ${marks.clock}`)]),
]

const wholeSeconds = (ms: number) => Math.floor(ms / 1000) * 1000
