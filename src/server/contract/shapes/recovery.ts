// Owns the shapes, for the API document, of what happened to a task and what it waits for.
import * as z from 'zod/mini'
import { SESSION_STATUSES } from '../../../domain/task/status-view.ts'
import type { MonitorEventJson, MonitoredJson, MonitorLookJson } from '../../../protocol/json/monitor-json.ts'
import type {
  EvidenceJson,
  GateJson,
  LastRunsJson,
  OpenQuestionJson,
  ParkedJson,
  ParksJson,
  RunStepJson,
  RunStoryJson,
  StoryJson,
  UnparkedJson,
  WhyJson,
} from '../../../protocol/json/recovery-json.ts'
import { elsewhere } from './elsewhere.ts'
import { count, named, oneOf, orNull, time, word } from './named.ts'
import { bridgeState, keptBack, next, phase, question, questionFields, task, taskStatus } from './task.ts'

export const fact = named(
  'EvidenceJson',
  z.object({ source: z.string(), fact: z.string() }),
) satisfies z.ZodMiniType<EvidenceJson>
export const story = named(
  'StoryJson',
  z.object({
    at: time,
    event: z.string(),
    from: z.string(),
    to: z.string(),
    phase: orNull(z.string()),
    reason: z.string(),
    evidence: z.array(fact),
    run: orNull(count),
  }),
) satisfies z.ZodMiniType<StoryJson>
const runStep = named(
  'RunStepJson',
  z.object({
    tool: z.string(),
    detail: z.string(),
    ok: orNull(z.boolean()),
    at: orNull(time),
    ended_at: orNull(time),
  }),
) satisfies z.ZodMiniType<RunStepJson>
const runStory = named(
  'RunStoryJson',
  z.object({
    number: count,
    how: z.string(),
    state: z.string(),
    exit: orNull(z.string()),
    failure: orNull(z.string()),
    tools: count,
    progress: count,
    steps: z.array(runStep),
  }),
) satisfies z.ZodMiniType<RunStoryJson>
export const lastRuns = named(
  'LastRunsJson',
  z.object({ runs: z.array(runStory) }),
) satisfies z.ZodMiniType<LastRunsJson>
export const why = named(
  'WhyJson',
  z.object({
    session_id: z.string(),
    status: oneOf(SESSION_STATUSES),
    task_status: taskStatus,
    phase,
    mode: z.string(),
    waits_for: task.shape.waits_for,
    waits_until: orNull(time),
    reason: orNull(z.string()),
    next,
    kept_back: orNull(keptBack),
    question: orNull(question),
    bridge: bridgeState,
    elsewhere: orNull(elsewhere),
    story: z.array(story),
    runs: z.array(runStory),
  }),
) satisfies z.ZodMiniType<WhyJson>

export const openQuestion = named(
  'OpenQuestionJson',
  z.object({ ...questionFields, session_id: z.string(), agent: z.string() }),
) satisfies z.ZodMiniType<OpenQuestionJson>

const gate = named(
  'GateJson',
  z.object({
    key: z.string(),
    kind: z.enum(['limit', 'environment', 'breaker']),
    agent: orNull(z.string()),
    reason: z.string(),
    since: time,
    until: time,
    canary: orNull(z.string()),
    tries: count,
    waiting: z.array(z.string()),
  }),
) satisfies z.ZodMiniType<GateJson>
const parked = named(
  'ParkedJson',
  z.object({
    session_id: z.string(),
    agent: z.string(),
    reason: orNull(z.string()),
    until: orNull(time),
  }),
) satisfies z.ZodMiniType<ParkedJson>
export const parks = named(
  'ParksJson',
  z.object({ gates: z.array(gate), parked: z.array(parked) }),
) satisfies z.ZodMiniType<ParksJson>
export const unparked = named(
  'UnparkedJson',
  z.object({ opened: z.array(z.string()), tasks: z.array(z.string()) }),
) satisfies z.ZodMiniType<UnparkedJson>

const monitored = named(
  'MonitoredJson',
  z.object({
    final_state: orNull(word<NonNullable<MonitoredJson['final_state']>>()),
    output_file: orNull(z.string()),
    exit_reason: orNull(z.string()),
    session_id: z.string(),
    task_status: orNull(taskStatus),
    phase,
    phase_until: orNull(time),
    reason: orNull(z.string()),
    next: orNull(next),
    question: orNull(question),
    last_words: orNull(z.string()),
    dir: orNull(z.string()),
    verified: z.optional(orNull(z.boolean())),
  }),
) satisfies z.ZodMiniType<MonitoredJson>
const monitorEvent = named(
  'MonitorEventJson',
  z.object({
    seq: count,
    at: time,
    session_id: z.string(),
    event: z.string(),
    task_status: orNull(taskStatus),
    phase,
    reason: orNull(z.string()),
  }),
) satisfies z.ZodMiniType<MonitorEventJson>
export const monitorLook = named(
  'MonitorLookJson',
  z.object({
    over: z.boolean(),
    seen: z.string(),
    tasks: z.array(monitored),
    cursor: orNull(count),
    events: z.array(monitorEvent),
  }),
) satisfies z.ZodMiniType<MonitorLookJson>
