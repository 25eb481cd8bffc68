// Owns state.json. Its field names stay the same, so that programs that read the handoff directory keep working.
import { sessionStatus } from './status-view.ts'
import type { TaskSummary } from './task.ts'

export type SessionRecord = ReturnType<typeof sessionRecord>

/** Where a task's visible files are, as absolute paths, and what its terminal is called. */
export type SessionPlaces = {
  readonly promptFile: string
  readonly resultFile: string
  readonly tmuxSession: string
}

/** The facts about a task that state.json shows. A draft has them, too. */
export type RecordedTask = Pick<
  TaskSummary,
  | 'id'
  | 'role'
  | 'agent'
  | 'status'
  | 'phase'
  | 'createdAt'
  | 'startedAt'
  | 'endedAt'
  | 'exitCode'
  | 'exitSignal'
  | 'reason'
  | 'parentId'
  | 'tags'
  | 'meta'
  | 'maxDurationMs'
  | 'priority'
  | 'hookViolations'
>

export function sessionRecord(task: RecordedTask, places: SessionPlaces) {
  return {
    session_id: task.id as string,
    /** The role, if there is one: programs that read state.json know it as `agent`. */
    agent: task.role ?? task.agent,
    agent_kind: task.agent,
    status: sessionStatus(task),
    task_status: task.status,
    phase: task.phase,
    created_at: iso(task.createdAt),
    started_at: isoOrNull(task.startedAt),
    completed_at: isoOrNull(task.endedAt),
    tmux_session: places.tmuxSession,
    task_prompt_file: places.promptFile,
    result_file: places.resultFile,
    exit_code: task.exitCode,
    exit_signal: task.exitSignal,
    reason: task.reason,
    parent_session: task.parentId as string | null,
    tags: [...task.tags],
    metadata: {
      ...task.meta,
      max_duration_seconds: task.maxDurationMs === null ? null : Math.round(task.maxDurationMs / 1000),
      priority: task.priority as string,
    },
    hook_violations: [...task.hookViolations],
  }
}

/** In UTC, to the second. */
export const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
export const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms))
