// Owns the shapes, for the API document, of triggers, threads and runtimes.
import * as z from 'zod/mini'
import { RUNTIME_STATES, RUNTIME_STATUSES } from '../../../domain/runtime/machine.ts'
import { MESSAGE_KINDS } from '../../../domain/thread/thread.ts'
import type { HeartbeatStatus } from '../../../protocol/json/run-json.ts'
import type {
  GivenUpPromptJson,
  RuntimeDetailJson,
  RuntimeJson,
  RuntimeRemovedJson,
  RuntimeStartedJson,
  RuntimeStoppedJson,
  RuntimeTransitionJson,
} from '../../../protocol/json/runtime-json.ts'
import type {
  ContinuedJson,
  MessageJson,
  MessageListJson,
  PostedJson,
  ThreadBlockJson,
  ThreadDetailJson,
  ThreadJson,
  ThreadListJson,
  ThreadMemberJson,
  UnreadJson,
} from '../../../protocol/json/thread-json.ts'
import type {
  TriggerDetailJson,
  TriggerJson,
  TriggerListJson,
  TriggerStepJson,
} from '../../../protocol/json/trigger-json.ts'
import { elsewhere } from './elsewhere.ts'
import { count, named, oneOf, orNull, time, word } from './named.ts'
import { evidence, sanitised, triggerCode, triggerState } from './orders.ts'
import { keptBack, next, phase, task } from './task.ts'

const triggerFields = {
  trigger_id: z.string(),
  session_id: z.string(),
  number: count,
  thread: orNull(z.string()),
  reason: orNull(z.string()),
  key: orNull(z.string()),
  framed: z.boolean(),
  by: z.string(),
  at: time,
  bytes: count,
  state: triggerState,
  code: triggerCode,
  state_since: time,
  acknowledged_by: orNull(word<NonNullable<TriggerJson['acknowledged_by']>>()),
  forced_by: orNull(z.string()),
  forced_why: orNull(z.string()),
  sanitised,
}
const trigger = named('TriggerJson', z.object(triggerFields)) satisfies z.ZodMiniType<TriggerJson>
export const step = named(
  'TriggerStepJson',
  z.object({
    number: count,
    event: word<TriggerStepJson['event']>(),
    state: triggerState,
    code: triggerCode,
    at: time,
    evidence: z.array(evidence),
  }),
) satisfies z.ZodMiniType<TriggerStepJson>
export const triggerDetail = named(
  'TriggerDetailJson',
  z.object({
    ...triggerFields,
    text: z.string(),
    steps: z.array(step),
    waits_until: orNull(time),
    phase,
    mode: z.string(),
    next,
    kept_back: orNull(keptBack),
  }),
) satisfies z.ZodMiniType<TriggerDetailJson>
export const triggerList = named(
  'TriggerListJson',
  z.object({ triggers: z.array(trigger), next: orNull(z.string()) }),
) satisfies z.ZodMiniType<TriggerListJson>

const block = named(
  'ThreadBlockJson',
  z.object({ code: word<ThreadBlockJson['code']>(), why: z.string(), at: time }),
) satisfies z.ZodMiniType<ThreadBlockJson>
const threadFields = {
  thread_id: z.string(),
  title: z.string(),
  workspace_id: orNull(z.string()),
  created_by: z.string(),
  created_at: time,
  state: z.enum(['open', 'blocked']),
  blocked: orNull(block),
  messages: count,
  last_at: orNull(time),
  turns_without_progress: count,
}
export const thread = named(
  'ThreadJson',
  z.object({ ...threadFields, unread: count }),
) satisfies z.ZodMiniType<ThreadJson>
const member = named(
  'ThreadMemberJson',
  z.object({ name: z.string(), read: count, not_woken: orNull(z.string()) }),
) satisfies z.ZodMiniType<ThreadMemberJson>
export const threadDetail = named(
  'ThreadDetailJson',
  z.object({ ...threadFields, unread: count, members: z.array(member) }),
) satisfies z.ZodMiniType<ThreadDetailJson>
export const threadList = named(
  'ThreadListJson',
  z.object({ threads: z.array(thread), next: orNull(z.string()) }),
) satisfies z.ZodMiniType<ThreadListJson>
const message = named(
  'MessageJson',
  z.object({
    thread_id: z.string(),
    number: count,
    author: z.string(),
    kind: oneOf(MESSAGE_KINDS),
    refs: z.array(z.string()),
    text: z.string(),
    at: time,
  }),
) satisfies z.ZodMiniType<MessageJson>
export const messageList = named(
  'MessageListJson',
  z.object({ messages: z.array(message), next: orNull(count) }),
) satisfies z.ZodMiniType<MessageListJson>
export const posted = named(
  'PostedJson',
  z.object({ message, thread: z.object(threadFields) }),
) satisfies z.ZodMiniType<PostedJson>
export const unread = named(
  'UnreadJson',
  z.object({
    thread_id: z.string(),
    reader: z.string(),
    cursor: count,
    messages: z.array(message),
    up_to: count,
    more: z.boolean(),
    blocked: orNull(block),
  }),
) satisfies z.ZodMiniType<UnreadJson>
export const continued = named(
  'ContinuedJson',
  z.object({ continued: z.boolean(), thread: threadDetail }),
) satisfies z.ZodMiniType<ContinuedJson>

const runtimeFields = {
  runtime_id: z.string(),
  agent_id: z.string(),
  role: z.string(),
  workspace_id: z.string(),
  project: orNull(z.string()),
  task_id: z.string(),
  session_id: orNull(z.string()),
  agent_kind: orNull(z.string()),
  tmux_session: z.string(),
  tmux_window: z.string(),
  tmux_pane: count,
  tmux_target: z.string(),
  pid: orNull(count),
  status: oneOf(RUNTIME_STATUSES),
  state: oneOf(RUNTIME_STATES),
  state_since: time,
  reason: z.string(),
  wanted: z.enum(['up', 'stopped']),
  phase,
  restart_at: orNull(time),
  waits_for: task.shape.waits_for,
  waits_until: orNull(time),
  question: orNull(z.string()),
  operator_busy: z.boolean(),
  last_heartbeat_at: orNull(time),
  last_heartbeat_status: orNull(word<HeartbeatStatus>()),
  last_trigger_id: orNull(z.string()),
  restarts: count,
  drifts: count,
  created_at: time,
  created_by: z.string(),
  elsewhere: orNull(elsewhere),
}
export const runtime = named('RuntimeJson', z.object(runtimeFields)) satisfies z.ZodMiniType<RuntimeJson>
const transition = named(
  'RuntimeTransitionJson',
  z.object({
    at: time,
    event: word<RuntimeTransitionJson['event']>(),
    from: z.enum([...RUNTIME_STATES, 'unregistered']),
    to: oneOf(RUNTIME_STATES),
    reason: z.string(),
    evidence: z.array(evidence),
  }),
) satisfies z.ZodMiniType<RuntimeTransitionJson>
export const runtimeDetail = named(
  'RuntimeDetailJson',
  z.object({ ...runtimeFields, transitions: z.array(transition) }),
) satisfies z.ZodMiniType<RuntimeDetailJson>
export const runtimeStarted = named(
  'RuntimeStartedJson',
  z.object({
    runtime,
    how: z.enum(['registered', 'brought_back', 'already_up']),
    notices: z.array(z.string()),
  }),
) satisfies z.ZodMiniType<RuntimeStartedJson>
export const runtimeStopped = named(
  'RuntimeStoppedJson',
  z.object({ runtime, already_stopped: z.boolean() }),
) satisfies z.ZodMiniType<RuntimeStoppedJson>
const givenUpPrompt = named(
  'GivenUpPromptJson',
  z.object({ trigger_id: z.string(), by: z.string(), text: z.string() }),
) satisfies z.ZodMiniType<GivenUpPromptJson>
export const runtimeRemoved = named(
  'RuntimeRemovedJson',
  z.object({ removed: runtime, given_up: z.array(givenUpPrompt) }),
) satisfies z.ZodMiniType<RuntimeRemovedJson>
