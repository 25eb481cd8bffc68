// Owns the shapes of what tools answer, as MCP shows them to clients. Clients check answers against them, so words of ours
// are any text, and more fields may follow: an answer of a later version still fits. The compiler compares them with what
// the tools return.
import * as z from 'zod/mini'
import { field } from './tool.ts'

const orNull = z.nullable
/** ISO 8601, in UTC. */
const time = z.string()
const words = z.array(z.string())

const brief = {
  session_id: z.string(),
  name: orNull(z.string()),
  title: z.string(),
  agent: z.string(),
  status: z.string(),
  task_status: z.string(),
  phase: orNull(z.string()),
  dir: z.string(),
}
const next = z.object({
  kind: z.string(),
  what: z.string(),
  at: orNull(time),
  question: orNull(z.int()),
  runtime: orNull(z.string()),
})
const question = z.object({
  number: z.int(),
  question: z.string(),
  options: words,
  asked_at: time,
  answer_way: z.string(),
  takes_text: z.boolean(),
  asked_by: z.enum(['agent', 'holdfast']),
})
const keptBack = z.object({ reason: z.string(), what: z.string(), prompts: z.int(), since: orNull(time) })
const evidence = z.array(z.object({ source: z.string(), fact: z.string() }))

export const created = z.object({ ...brief, notices: words })
export const standingTask = z.object({
  ...brief,
  next,
  questions: z.array(question),
  queue_position: orNull(z.int()),
  reason: orNull(z.string()),
  started_at: orNull(time),
  completed_at: orNull(time),
  elapsed_seconds: z.number(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  cost_usd: z.number(),
  bridge: orNull(z.unknown()),
  result: field(z.optional(z.unknown()), 'Once it has ended; null when it is too long: the file has it.'),
  result_file: z.optional(z.string()),
})
export const cancelled = z.object({ already_ended: z.boolean(), ...brief })
export const roles = z.object({
  roles: z.array(
    z.object({
      role: z.string(),
      description: orNull(z.string()),
      agent: orNull(z.string()),
      model: orNull(z.string()),
      problem: orNull(z.string()),
    }),
  ),
})
export const waited = z.object({
  over: z.boolean(),
  tasks: z.array(
    z.object({
      session_id: z.string(),
      final_state: orNull(z.string()),
      exit_reason: orNull(z.string()),
      task_status: orNull(z.string()),
      phase: orNull(z.string()),
      next: orNull(next),
      question: orNull(question),
      last_words: orNull(z.string()),
    }),
  ),
  events: z.array(
    z.object({ at: time, session_id: z.string(), event: z.string(), reason: orNull(z.string()) }),
  ),
  cursor: field(z.string(), 'To be given with the next call.'),
})

export const answered = z.object({
  ...brief,
  question: z.string(),
  answer: z.string(),
  settled: field(z.boolean(), 'The agent goes on with it.'),
})
const waitedFor = orNull(
  z.object({
    for: z.string(),
    outcome: field(
      z.string(),
      '`reached`; `over`: it will not get so far by itself; `not_yet`: the time is up.',
    ),
    go_on: field(z.string(), 'What to do now.'),
  }),
)
export const sent = z.object({
  trigger_id: orNull(z.string()),
  state: orNull(z.string()),
  code: orNull(z.string()),
  evidence,
  sanitised: words,
  forced_by: orNull(z.string()),
  session_id: z.string(),
  number: z.int(),
  said: z.boolean(),
  heard: z.boolean(),
  phase: orNull(z.string()),
  mode: z.string(),
  next,
  kept_back: orNull(keptBack),
  waited: waitedFor,
})
const triggerFacts = {
  trigger_id: z.string(),
  session_id: z.string(),
  number: z.int(),
  thread: orNull(z.string()),
  reason: orNull(z.string()),
  key: orNull(z.string()),
  framed: z.boolean(),
  by: z.string(),
  at: time,
  bytes: z.int(),
  state: z.string(),
  code: orNull(z.string()),
  state_since: time,
  acknowledged_by: orNull(z.string()),
  forced_by: orNull(z.string()),
  forced_why: orNull(z.string()),
  sanitised: words,
  text: z.string(),
  steps: z.array(
    z.object({
      number: z.int(),
      event: z.string(),
      state: z.string(),
      code: orNull(z.string()),
      at: time,
      evidence,
    }),
  ),
  waits_until: orNull(time),
  phase: orNull(z.string()),
  mode: z.string(),
  next,
  kept_back: orNull(keptBack),
}
export const trigger = z.object(triggerFacts)
export const triggerWaited = z.object({ ...triggerFacts, waited: waitedFor })

const block = z.object({ code: z.string(), why: z.string(), at: time })
const threadFacts = {
  thread_id: z.string(),
  title: z.string(),
  workspace_id: orNull(z.string()),
  created_by: z.string(),
  created_at: time,
  state: z.string(),
  blocked: orNull(block),
  messages: z.int(),
  last_at: orNull(time),
  turns_without_progress: z.int(),
}
const message = z.object({
  thread_id: z.string(),
  number: z.int(),
  author: z.string(),
  kind: z.string(),
  refs: words,
  text: z.string(),
  at: time,
})
export const thread = z.object({ ...threadFacts, unread: z.int() })
export const posted = z.object({ message, thread: z.object(threadFacts) })
export const unread = z.object({
  thread_id: z.string(),
  reader: z.string(),
  cursor: z.int(),
  messages: z.array(message),
  up_to: field(z.int(), 'To be given with the next call, once these messages are read.'),
  more: z.boolean(),
  blocked: orNull(block),
})

export const submitted = z.object({ session_id: z.string(), result_file: z.string() })
export const heartbeat = z.object({ session_id: z.string(), status: z.string(), at: time })
