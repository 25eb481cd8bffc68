// Owns the JSON of one task: what `--json`, the HTTP API and later the page show. Fields may be added, never changed.
import { iso, type SessionRecord, sessionRecord } from '../domain/session-record.ts'
import { sessionStatus } from '../domain/status-view.ts'
import type { TaskRow, TaskSummary } from '../domain/task.ts'

export type TaskJson = SessionRecord & {
  elapsed_seconds: number
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
  /** Being ended: why. Null otherwise. */
  stopping: string | null
  created_by: string
  /** When it was put away; null while it was not. */
  archived_at: string | null
  /** When a task that backs off or is parked goes on. */
  phase_until: string | null
  /** Automatic ones since it last achieved something. */
  retries: number
}
/** What comes next, in plain words; `at` is null where no time is set. */
export type NextJson = { what: string; at: string | null }
/** What an agent asks. Answered with `holdfast answer`. */
export type QuestionJson = { number: number; question: string; options: string[]; asked_at: string }
/** `status <id>`: what needs a look at the world. */
export type TaskDetailJson = TaskJson & {
  tmux_active: boolean
  queue_position: number | null
  /** Open ones, oldest first. */
  questions: QuestionJson[]
  next: NextJson
  /** What was said to the agent after its start, or waits to be said. */
  inputs: InputStateJson[]
}
/** `text` is cut after 200 characters. `heard` is the agent's own word. */
export type InputStateJson = {
  number: number
  kind: 'prompt' | 'continuation' | 'answer' | 'end'
  text: string
  by: string
  said: boolean
  heard: boolean
  done: boolean
}

/** One line of `list`: a part of TaskJson that stays small with thousands of tasks. */
export type TaskRowJson = {
  session_id: TaskJson['session_id']
  agent: TaskJson['agent']
  status: TaskJson['status']
  task_status: TaskJson['task_status']
  phase: TaskJson['phase']
  started_at: TaskJson['started_at']
  elapsed_seconds: TaskJson['elapsed_seconds']
  stopping: TaskJson['stopping']
}
export type TaskRowsJson = { rows: TaskRowJson[]; totals: TotalsJson }
export type TaskListJson = { tasks: TaskJson[]; totals: TotalsJson }
/** Counts over the tasks shown, in the handoff vocabulary. */
export type TotalsJson = {
  total: number
  created: number
  running: number
  completed: number
  failed: number
  killed: number
}

/** In place: a second spread of so many fields costs ten times as much, and there may be thousands of tasks. */
export function taskJson(
  task: TaskSummary,
  files: { promptFile: string; resultFile: string; view: string },
  now: number,
): TaskJson {
  return Object.assign(sessionRecord(task, files), {
    elapsed_seconds: elapsedSeconds(task, now),
    workspace: files.view,
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
    created_by: task.createdBy,
    archived_at: task.archivedAt === null ? null : iso(task.archivedAt),
    phase_until: task.phaseUntil ? iso(task.phaseUntil) : null,
    retries: task.retries,
  })
}

export const taskRowJson = (task: TaskRow, now: number): TaskRowJson => ({
  session_id: task.id,
  agent: task.role ?? task.agent,
  status: sessionStatus(task.status),
  task_status: task.status,
  phase: task.phase,
  started_at: task.startedAt === null ? null : iso(task.startedAt),
  elapsed_seconds: elapsedSeconds(task, now),
  stopping: stopping(task),
})

const stopping = (task: TaskRow) => (task.stop === null || task.endedAt !== null ? null : task.stop.reason)

/** From start (or creation while queued) to end or now; a clock set back never shows less than nothing. */
const elapsedSeconds = (task: TaskRow, now: number) =>
  Math.max(0, Math.floor(((task.endedAt ?? now) - (task.startedAt ?? task.createdAt)) / 1000))
