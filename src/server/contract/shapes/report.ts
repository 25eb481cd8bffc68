// Owns the shape of a report: all that a colleague needs to know of a session.
import * as z from 'zod/mini'
import type { ReportJson } from '../../../protocol/json/report-json.ts'
import { count, named, oneOf, orNull, time } from './named.ts'
import { changedFile } from './orders.ts'
import { fact, story } from './recovery.ts'
import { step as triggerStep } from './talk.ts'
import { taskDetail } from './task.ts'

const cutText = named(
  'CutTextJson',
  z.object({ text: z.string(), bytes: count, cut: orNull(oneOf(['begin', 'end'])) }),
)

const step = named(
  'ReportStepJson',
  z.object({ tool: z.string(), detail: z.string(), ok: orNull(z.boolean()), at: orNull(time) }),
)

const run = named(
  'ReportRunJson',
  z.object({
    number: count,
    how: z.string(),
    state: z.string(),
    started_at: time,
    ended_at: orNull(time),
    exit: orNull(z.string()),
    failure: orNull(z.string()),
    tools: count,
    progress: count,
    told: orNull(cutText),
    evidence: z.array(fact),
    steps: z.array(step),
  }),
)

const input = named(
  'ReportInputJson',
  z.object({
    number: count,
    kind: z.string(),
    by: z.string(),
    text: cutText,
    queued_at: time,
    said_at: orNull(time),
    heard_at: orNull(time),
    done_at: orNull(time),
    state: orNull(z.string()),
    code: orNull(z.string()),
    steps: z.array(triggerStep),
  }),
)

const verification = named(
  'ReportVerificationJson',
  z.object({ verified: z.boolean(), rounds: count, failures: z.array(z.string()), at: time }),
)

const changes = named(
  'ReportChangesJson',
  z.object({
    since: orNull(z.string()),
    why_unknown: orNull(z.string()),
    files: z.array(changedFile),
    files_left_out: count,
    patch: z.string(),
    patch_cut: z.boolean(),
  }),
)

export const report = named(
  'ReportJson',
  z.object({
    made_at: time,
    version: z.string(),
    session: taskDetail,
    prompt: cutText,
    story: z.array(story),
    story_left_out: count,
    runs: z.array(run),
    inputs: z.array(input),
    output: cutText,
    result: orNull(cutText),
    verification: orNull(verification),
    changes,
  }),
) satisfies z.ZodMiniType<ReportJson>
