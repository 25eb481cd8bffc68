// Owns the shapes, for the API document, of what comes of orders and prompts, and of single parts of a task: its screen, result and changes.
import * as z from 'zod/mini'
import { BAR_KEYS } from '../../../domain/conversation/bar-keys.ts'
import type { ErrorCode } from '../../../domain/errors.ts'
import { ORDER_KINDS } from '../../../domain/task/order.ts'
import { TRIGGER_CODES } from '../../../domain/trigger/codes.ts'
import { TRIGGER_STATES } from '../../../domain/trigger/machine.ts'
import type { BulkFailureJson } from '../../../protocol/json/bulk-json.ts'
import type { ChangedFileJson, ChangesJson, FileDiffJson } from '../../../protocol/json/changes-json.ts'
import type { CreatedJson, NoticeKind } from '../../../protocol/json/create-json.ts'
import type { ErrorJson, WayOutJson } from '../../../protocol/json/error-json.ts'
import type { AnsweredJson, SentJson } from '../../../protocol/json/input-json.ts'
import type { PromptJson, ResultJson, ScreenJson, StatusCheckJson } from '../../../protocol/json/life-json.ts'
import type {
  ArchivedJson,
  FinishedJson,
  KeysPressedJson,
  KilledJson,
  OrderJson,
  RemovedJson,
} from '../../../protocol/json/order-json.ts'
import type { HeartbeatJson, ResultSubmittedJson, SelfJson } from '../../../protocol/json/run-json.ts'
import type { TerminalJson } from '../../../protocol/json/terminal-json.ts'
import type { CheckJson, StepVerifiedJson, VerifiedJson } from '../../../protocol/json/verify-json.ts'
import { count, named, oneOf, orNull, time, word } from './named.ts'
import { keptBack, next, phase, question, task, taskDetail } from './task.ts'

const wayOut = named(
  'WayOutJson',
  z.object({ do: word<WayOutJson['do']>(), session_id: z.string() }),
) satisfies z.ZodMiniType<WayOutJson>
const errorCode = word<ErrorCode>()
export const error = named(
  'ErrorJson',
  z.object({ code: errorCode, message: z.string(), hint: z.string(), ways_out: z.array(wayOut) }),
) satisfies z.ZodMiniType<ErrorJson>
export const bulkFailure = named(
  'BulkFailureJson',
  z.object({ session_id: z.string(), code: errorCode, message: z.string(), ways_out: z.array(wayOut) }),
) satisfies z.ZodMiniType<BulkFailureJson>

export const created = named(
  'CreatedJson',
  z.object({
    task: taskDetail,
    notices: z.array(z.string()),
    notice_kinds: z.array(word<NoticeKind>()),
  }),
) satisfies z.ZodMiniType<CreatedJson>
export const order = named(
  'OrderJson',
  z.object({
    id: z.string(),
    kind: oneOf(ORDER_KINDS),
    by: z.string(),
    at: time,
    state: z.enum(['placed', 'begun', 'done', 'refused', 'too_late']),
    settled_at: orNull(time),
    error: orNull(z.object({ code: errorCode, message: z.string() })),
  }),
) satisfies z.ZodMiniType<OrderJson>
export const killed = named(
  'KilledJson',
  z.object({ already_ended: z.boolean(), task }),
) satisfies z.ZodMiniType<KilledJson>
export const removed = named('RemovedJson', z.object({ removed: task })) satisfies z.ZodMiniType<RemovedJson>
export const finished = named(
  'FinishedJson',
  z.object({ already_ended: z.boolean(), finished: z.boolean(), task }),
) satisfies z.ZodMiniType<FinishedJson>
export const archived = named(
  'ArchivedJson',
  z.object({ already_archived: z.boolean(), task }),
) satisfies z.ZodMiniType<ArchivedJson>
export const keysPressed = named(
  'KeysPressedJson',
  z.object({ session_id: z.string(), keys: z.array(z.enum(BAR_KEYS)) }),
) satisfies z.ZodMiniType<KeysPressedJson>
export const answered = named(
  'AnsweredJson',
  z.object({ session_id: z.string(), question, answer: z.string(), settled: z.boolean(), task }),
) satisfies z.ZodMiniType<AnsweredJson>

export const triggerState = oneOf(TRIGGER_STATES)
export const triggerCode = orNull(oneOf(TRIGGER_CODES))
export const evidence = z.object({ source: word<SentJson['evidence'][number]['source']>(), fact: z.string() })
export const sanitised = z.array(word<SentJson['sanitised'][number]>())
export const sent = named(
  'SentJson',
  z.object({
    trigger_id: orNull(z.string()),
    state: orNull(triggerState),
    code: triggerCode,
    evidence: z.array(evidence),
    sanitised,
    forced_by: orNull(z.string()),
    session_id: z.string(),
    number: count,
    said: z.boolean(),
    heard: z.boolean(),
    phase,
    mode: z.string(),
    next,
    kept_back: orNull(keptBack),
  }),
) satisfies z.ZodMiniType<SentJson>

export const screen = named(
  'ScreenJson',
  z.object({ session_id: z.string(), screen: z.string(), live: z.boolean() }),
) satisfies z.ZodMiniType<ScreenJson>
export const terminal = named(
  'TerminalJson',
  z.object({ session_id: z.string(), columns: z.number(), rows: z.number(), may_type: z.boolean() }),
) satisfies z.ZodMiniType<TerminalJson>
export const statusCheck = named(
  'StatusCheckJson',
  z.object({
    session_id: z.string(),
    session_state: word<StatusCheckJson['session_state']>(),
    other_checks: word<StatusCheckJson['other_checks']>(),
    phase: orNull(z.string()),
    previous_time: orNull(z.string()),
    current_time: orNull(z.string()),
    context_percent: orNull(z.number()),
    silent_seconds: orNull(count),
  }),
) satisfies z.ZodMiniType<StatusCheckJson>
export const prompt = named(
  'PromptJson',
  z.object({ session_id: z.string(), prompt: z.string() }),
) satisfies z.ZodMiniType<PromptJson>
export const result = named(
  'ResultJson',
  z.object({ session_id: z.string(), result: z.unknown() }),
) satisfies z.ZodMiniType<ResultJson>
export const changedFile = named(
  'ChangedFileJson',
  z.object({
    path: z.string(),
    kind: z.enum(['added', 'modified', 'deleted']),
    added: orNull(count),
    removed: orNull(count),
    before: z.boolean(),
  }),
) satisfies z.ZodMiniType<ChangedFileJson>
export const changes = named(
  'ChangesJson',
  z.object({
    session_id: z.string(),
    state: z.enum(['known', 'not_recorded', 'unknown']),
    commit: z.nullable(z.string()),
    files: z.array(changedFile),
    more: z.boolean(),
  }),
) satisfies z.ZodMiniType<ChangesJson>
export const fileDiff = named(
  'FileDiffJson',
  z.object({ session_id: z.string(), path: z.string(), diff: z.string(), cut: z.boolean() }),
) satisfies z.ZodMiniType<FileDiffJson>
export const resultSubmitted = named(
  'ResultSubmittedJson',
  z.object({ session_id: z.string(), result_file: z.string() }),
) satisfies z.ZodMiniType<ResultSubmittedJson>
export const heartbeat = named(
  'HeartbeatJson',
  z.object({ session_id: z.string(), status: z.enum(['active', 'idle']), at: time }),
) satisfies z.ZodMiniType<HeartbeatJson>
export const self = named(
  'SelfJson',
  z.object({ run_id: z.string(), session_id: z.string(), dir: z.string(), project: z.string() }),
) satisfies z.ZodMiniType<SelfJson>

const check = named(
  'CheckJson',
  z.object({ check: z.string(), ok: z.boolean(), why: orNull(z.string()), output: z.string() }),
) satisfies z.ZodMiniType<CheckJson>
export const verified = named(
  'VerifiedJson',
  z.object({ session_id: z.string(), verified: z.boolean(), checks: z.array(check) }),
) satisfies z.ZodMiniType<VerifiedJson>
export const stepVerified = named(
  'StepVerifiedJson',
  z.object({
    step: z.string(),
    story: z.string(),
    source: z.string(),
    verified: z.boolean(),
    checks: z.array(check),
  }),
) satisfies z.ZodMiniType<StepVerifiedJson>
