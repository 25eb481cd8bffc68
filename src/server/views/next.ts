// Owns the JSON of a task's next step, and of the prompts that are kept back.
import { keptText } from '../../domain/conversation/kept-back-text.ts'
import type { NextStep } from '../../domain/recovery/next-facts.ts'
import { iso } from '../../domain/task/session-record.ts'
import type { KeptBackJson, NextJson } from '../../protocol/json/task-json.ts'
import type { Unsaid } from '../../supervisor/desk.ts'

export const nextJson = ({ at, ...step }: NextStep): NextJson => ({
  ...step,
  at: at === null ? null : iso(at),
})

export const keptJson = ({ prompts, kept }: Unsaid, now: number): KeptBackJson | null =>
  kept === null
    ? null
    : {
        reason: kept.kind,
        what: keptText(kept, now),
        prompts,
        since: kept.since === null ? null : iso(kept.since),
      }
