// Owns the shapes, for the API document, of tasks and lists of them.
import * as z from 'zod/mini'
import type { AnswerWay } from '../../../domain/conversation/answer-way.ts'
import { PHASES, TASK_STATUSES } from '../../../domain/task/machine.ts'
import { SESSION_STATUSES } from '../../../domain/task/status-view.ts'
import type { HeartbeatSeenJson, HeartbeatStatus } from '../../../protocol/json/run-json.ts'
import type {
  ContractCheckJson,
  InputStateJson,
  KeptBackJson,
  ListedTaskJson,
  NextJson,
  QuestionJson,
  TaskDetailJson,
  TaskJson,
  TaskListJson,
  TaskRowJson,
  TaskRowsJson,
  TotalsJson,
} from '../../../protocol/json/task-json.ts'
import { elsewhere } from './elsewhere.ts'
import { count, named, oneOf, orNull, time, word } from './named.ts'

const taskStatus = oneOf(TASK_STATUSES)
export const phase = orNull(oneOf(PHASES))
const waits = {
  waits_for: orNull(z.enum(['tmux', 'children', 'limit', 'environment', 'breaker', 'time'])),
  waits_until: orNull(time),
}
export const answerWay = z.enum(['at_once', 'resume', 'none']) satisfies z.ZodMiniType<AnswerWay>
export const bridgeState = orNull(z.enum(['up', 'absent', 'unknown']))

const taskFields = {
  session_id: z.string(),
  agent: z.string(),
  agent_kind: z.string(),
  status: oneOf(SESSION_STATUSES),
  task_status: taskStatus,
  phase,
  created_at: time,
  started_at: orNull(time),
  completed_at: orNull(time),
  tmux_session: z.string(),
  task_prompt_file: z.string(),
  result_file: z.string(),
  exit_code: orNull(z.number()),
  exit_signal: orNull(z.string()),
  reason: orNull(z.string()),
  parent_session: orNull(z.string()),
  tags: z.array(z.string()),
  metadata: z.looseObject({ max_duration_seconds: orNull(z.number()), priority: z.string() }),
  hook_violations: z.array(z.string()),
  name: orNull(z.string()),
  title: z.string(),
  elapsed_seconds: count,
  last_activity_at: orNull(time),
  workspace: z.string(),
  project: z.string(),
  dir: z.string(),
  mode: z.string(),
  model: orNull(z.string()),
  priority: z.string(),
  run_id: orNull(z.string()),
  agent_session_id: orNull(z.string()),
  tokens_in: z.number(),
  tokens_out: z.number(),
  cost_usd: z.number(),
  stopping: orNull(z.string()),
  ...waits,
  created_by: z.string(),
  archived_at: orNull(time),
  phase_until: orNull(time),
  retries: count,
  runtime: orNull(z.string()),
}
const askedBy = z.enum(['agent', 'holdfast'])
const asker = { asked_by: orNull(askedBy), elsewhere: orNull(elsewhere) }
export const task = named('TaskJson', z.object(taskFields)) satisfies z.ZodMiniType<TaskJson>

const listedTask = named(
  'ListedTaskJson',
  z.object({ ...taskFields, ...asker }),
) satisfies z.ZodMiniType<ListedTaskJson>

export const next = named(
  'NextJson',
  z.object({
    kind: word<NextJson['kind']>(),
    what: z.string(),
    at: orNull(time),
    question: orNull(count),
    runtime: orNull(z.string()),
  }),
) satisfies z.ZodMiniType<NextJson>

export const keptBack = named(
  'KeptBackJson',
  z.object({
    reason: word<KeptBackJson['reason']>(),
    what: z.string(),
    prompts: count,
    since: orNull(time),
  }),
) satisfies z.ZodMiniType<KeptBackJson>

export const questionFields = {
  number: count,
  question: z.string(),
  options: z.array(z.string()),
  asked_at: time,
  answer_way: answerWay,
  takes_text: z.boolean(),
  asked_by: askedBy,
}
export const question = named('QuestionJson', z.object(questionFields)) satisfies z.ZodMiniType<QuestionJson>

const inputState = named(
  'InputStateJson',
  z.object({
    number: count,
    kind: z.enum(['prompt', 'continuation', 'answer', 'end', 'finish']),
    text: z.string(),
    question: orNull(count),
    by: z.string(),
    said: z.boolean(),
    heard: z.boolean(),
    done: z.boolean(),
  }),
) satisfies z.ZodMiniType<InputStateJson>

const heartbeatSeen = named(
  'HeartbeatSeenJson',
  z.object({ status: word<HeartbeatStatus>(), at: time }),
) satisfies z.ZodMiniType<HeartbeatSeenJson>

const contractCheck = named(
  'ContractCheckJson',
  z.object({ check: z.string(), ok: orNull(z.boolean()) }),
) satisfies z.ZodMiniType<ContractCheckJson>

export const taskDetail = named(
  'TaskDetailJson',
  z.object({
    ...taskFields,
    ...asker,
    tmux_active: z.boolean(),
    queue_position: orNull(count),
    questions: z.array(question),
    next,
    kept_back: orNull(keptBack),
    bridge: bridgeState,
    heartbeat: orNull(heartbeatSeen),
    inputs: z.array(inputState),
    takes_prompts: z.boolean(),
    has_contract: z.boolean(),
    checks: z.array(contractCheck),
  }),
) satisfies z.ZodMiniType<TaskDetailJson>

const totals = named(
  'TotalsJson',
  z.object({
    total: count,
    created: count,
    running: count,
    asking: count,
    completed: count,
    failed: count,
    killed: count,
  }),
) satisfies z.ZodMiniType<TotalsJson>

export const taskList = named(
  'TaskListJson',
  z.object({ tasks: z.array(listedTask), totals: orNull(totals), next: orNull(z.string()) }),
) satisfies z.ZodMiniType<TaskListJson>

const row = named(
  'TaskRowJson',
  z.object({
    session_id: z.string(),
    name: orNull(z.string()),
    title: z.string(),
    parent_session: orNull(z.string()),
    agent: z.string(),
    project: z.string(),
    status: oneOf(SESSION_STATUSES),
    task_status: taskStatus,
    phase,
    started_at: orNull(time),
    completed_at: orNull(time),
    elapsed_seconds: count,
    last_activity_at: orNull(time),
    cost_usd: z.number(),
    stopping: orNull(z.string()),
    ...waits,
    runtime: orNull(z.string()),
    ...asker,
  }),
) satisfies z.ZodMiniType<TaskRowJson>
export const taskRows = named(
  'TaskRowsJson',
  z.object({ rows: z.array(row), totals: orNull(totals), next: orNull(z.string()) }),
) satisfies z.ZodMiniType<TaskRowsJson>
export { taskStatus }
