// Owns the JSON of one task: what `--json`, the HTTP API and later the page show. Fields may be added, never changed.
import type { AnswerWay } from '../../domain/conversation/answer-way.ts'
import type { KeptBack } from '../../domain/conversation/kept-back.ts'
import type { NextKind } from '../../domain/recovery/next-facts.ts'
import type { AskedBy } from '../../domain/task/question.ts'
import {
  isoOrNull,
  type SessionPlaces,
  type SessionRecord,
  sessionRecord,
} from '../../domain/task/session-record.ts'
import { waitsUntil } from '../../domain/task/state.ts'
import { sessionStatus } from '../../domain/task/status-view.ts'
import type { TaskRow, TaskSummary } from '../../domain/task/task.ts'
import type { ElsewhereJson } from './daemon-json.ts'
import type { BridgeState, HeartbeatSeenJson } from './run-json.ts'

export type TaskJson = SessionRecord & {
  /** As given with `--name`; null without one. */
  name: string | null
  /** What the task is about: `--title`, or the first words of its prompt. */
  title: string
  elapsed_seconds: number
  /** When it ended, or when its agent last showed a sign of life; null while no agent of it is at work. */
  last_activity_at: string | null
  /** The handoff directory. */
  workspace: string
  project: string
  dir: string
  mode: string
  model: string | null
  priority: string
  run_id: string | null
  agent_session_id: string | null
  tokens_in: number
  tokens_out: number
  cost_usd: number
  /** Why the task is being ended; null when it is not. */
  stopping: string | null
  created_by: string
  /** When the task was archived; null when it was not. */
  archived_at: string | null
  /** When a task that backs off or is parked goes on. */
  phase_until: string | null
  /** How often the task was retried automatically since it last made progress. */
  retries: number
  /** What the task waits for, apart from slots and persons: tmux, the tasks that it started, a gate that holds several tasks, or a time of its own. */
  waits_for: 'tmux' | 'children' | 'limit' | 'environment' | 'breaker' | 'time' | null
  /** Null when no time is set, and while another session tests whether the cause is over. */
  waits_until: string | null
  /** `<role>@<workspace slug>` of a runtime; null for every other session. */
  runtime: string | null
}
/** A task of a list. */
export type ListedTaskJson = TaskJson & {
  /** Whose question it is for which the task waits, as in QuestionJson; null when it waits for no answer. */
  asked_by: AskedBy | null
  /** Of a task of another daemon on the same store; null of one of this daemon. */
  elsewhere: ElsewhereJson | null
}
/** What comes next. It holds no command lines: whoever shows it adds them. */
export type NextJson = {
  kind: NextKind
  /** In plain words. */
  what: string
  /** When it comes; null when no time is set. */
  at: string | null
  /** The number to give with the answer when several questions are open. */
  question: number | null
  /** `<role>@<workspace slug>` of a runtime; null for every other session. */
  runtime: string | null
}
/** Why prompts are not typed into an agent's terminal now. */
export type KeptBackJson = {
  reason: KeptBack['kind']
  /** In plain words. */
  what: string
  /** How many prompts wait. */
  prompts: number
  /** Since when; null when that is not known. */
  since: string | null
}
/** What an agent asks. */
export type QuestionJson = {
  number: number
  question: string
  options: string[]
  asked_at: string
  /** How an answer reaches the agent: at once, by resuming it, or not at all: then the task can only start again or end. */
  answer_way: AnswerWay
  /** It can be answered in words; else only with one of its options. */
  takes_text: boolean
  /** `holdfast`: no agent waits for the answer; it is one of the options, and decides what becomes of the task. */
  asked_by: AskedBy
}
/** `status <id>`: a task with what must be asked from tmux, the queue and the conversation. */
export type TaskDetailJson = ListedTaskJson & {
  tmux_active: boolean
  queue_position: number | null
  /** The open questions, oldest first. */
  questions: QuestionJson[]
  next: NextJson
  /** Null when no prompt waits, or prompts wait only for the end of the turn. */
  kept_back: KeptBackJson | null
  /** Whether the tools of Holdfast reached the agent of the last run; null where it was given none. */
  bridge: BridgeState | null
  /** What the agent of the last run said about itself last; null when it sent no heartbeat. */
  heartbeat: HeartbeatSeenJson | null
  /** What was said to the agent after its start, or waits to be said. */
  inputs: InputStateJson[]
  /** Another prompt can be sent to it now. */
  takes_prompts: boolean
  /** It was created with a contract (`--verify`). */
  has_contract: boolean
  /** The checks of its contract, and how each ended when they last ran. */
  checks: ContractCheckJson[]
}
/** `check`: in a few words. `ok` is null before the first verification. */
export type ContractCheckJson = { check: string; ok: boolean | null }
/** `text` is cut after 200 characters. `heard`: the agent itself reported that it got the input. */
export type InputStateJson = {
  number: number
  kind: 'prompt' | 'continuation' | 'answer' | 'end' | 'finish'
  text: string
  /** Of an answer: the number of its question. */
  question: number | null
  by: string
  said: boolean
  heard: boolean
  done: boolean
}

export type Waits = Pick<TaskJson, 'waits_for' | 'waits_until'>

/** One line of `list`: a part of TaskJson that stays small with thousands of tasks. */
export type TaskRowJson = {
  session_id: TaskJson['session_id']
  name: TaskJson['name']
  title: TaskJson['title']
  parent_session: TaskJson['parent_session']
  agent: TaskJson['agent']
  project: TaskJson['project']
  status: TaskJson['status']
  task_status: TaskJson['task_status']
  phase: TaskJson['phase']
  started_at: TaskJson['started_at']
  completed_at: TaskJson['completed_at']
  elapsed_seconds: TaskJson['elapsed_seconds']
  last_activity_at: TaskJson['last_activity_at']
  cost_usd: TaskJson['cost_usd']
  stopping: TaskJson['stopping']
  waits_for: TaskJson['waits_for']
  waits_until: TaskJson['waits_until']
  runtime: TaskJson['runtime']
  asked_by: ListedTaskJson['asked_by']
  elsewhere: ListedTaskJson['elsewhere']
}
/**
 * A page of the list: sessions that have not ended come first, each part newest first; with `ended_since`, the one that ended
 * last comes first. `next`: send it as `after`; null at the end.
 */
export type TaskRowsJson = { rows: TaskRowJson[]; totals: TotalsJson | null; next: string | null }
export type TaskListJson = { tasks: ListedTaskJson[]; totals: TotalsJson | null; next: string | null }
/** Counts over the whole list, not only the page, by the statuses that state.json uses. */
export type TotalsJson = {
  total: number
  created: number
  running: number
  /** How many of the running ones wait for a person. */
  asking: number
  completed: number
  failed: number
  killed: number
}

/** Object.assign, because a second spread of so many fields costs ten times as much, and there may be thousands of tasks. */
export function taskJson(
  task: TaskSummary,
  places: SessionPlaces & { readonly view: string },
  now: number,
  waits: Waits,
  activeAt: number | null,
): TaskJson {
  return Object.assign(sessionRecord(task, places), {
    name: task.name,
    title: task.title,
    elapsed_seconds: elapsedSeconds(task, now),
    last_activity_at: isoOrNull(activeAt),
    workspace: places.view,
    project: task.project,
    dir: task.dir,
    mode: task.mode,
    model: task.model,
    priority: task.priority,
    run_id: task.runId,
    agent_session_id: task.sessionId,
    tokens_in: task.tokensIn,
    tokens_out: task.tokensOut,
    cost_usd: task.costUsd,
    stopping: stopping(task),
    waits_for: waits.waits_for,
    waits_until: waits.waits_until,
    created_by: task.createdBy,
    archived_at: isoOrNull(task.archivedAt),
    phase_until: isoOrNull(waitsUntil(task)),
    retries: task.retries,
    runtime: task.runtime,
  })
}

export const taskRowJson = (
  task: TaskRow,
  now: number,
  waits: Waits,
  activeAt: number | null,
  elsewhere: ElsewhereJson | null,
): TaskRowJson => ({
  session_id: task.id,
  name: task.name,
  title: task.title,
  parent_session: task.parentId,
  agent: task.role ?? task.agent,
  project: task.project,
  status: sessionStatus(task),
  task_status: task.status,
  phase: task.phase,
  started_at: isoOrNull(task.startedAt),
  completed_at: isoOrNull(task.endedAt),
  elapsed_seconds: elapsedSeconds(task, now),
  last_activity_at: isoOrNull(activeAt),
  cost_usd: task.costUsd,
  stopping: stopping(task),
  ...waits,
  runtime: task.runtime,
  asked_by: task.askedBy,
  elsewhere,
})

const stopping = (task: Pick<TaskRow, 'stop' | 'endedAt'>) =>
  task.stop === null || task.endedAt !== null ? null : task.stop.reason

/** From the start (while queued: from the creation) to the end or now. Never negative, even if the clock was set back. */
const elapsedSeconds = (task: Pick<TaskRow, 'endedAt' | 'startedAt' | 'createdAt'>, now: number) =>
  Math.max(0, Math.floor(((task.endedAt ?? now) - (task.startedAt ?? task.createdAt)) / 1000))
