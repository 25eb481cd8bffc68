// Owns state.json: seed names, one field each, so that programs written for the handoff directory keep working.
import { sessionStatus } from './status-view.ts'
import type { TaskSummary } from './task.ts'

export type SessionRecord = ReturnType<typeof sessionRecord>

/** Where a task's visible files are, as absolute paths, and what its terminal is called. */
export type SessionPlaces = {
  readonly promptFile: string
  readonly resultFile: string
  readonly tmuxSession: string
}

/** What state.json tells of a task; a draft has it too. */
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
    /** The role where there is one; programs of old call it agent. */
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

/** Seconds are enough for people; the zone is always UTC. */
export const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
export const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms))
