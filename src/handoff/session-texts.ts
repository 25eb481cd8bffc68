// Owns what state.json and prompt.md say.
import { fillSessionId } from '../domain/conversation/layout-prompt.ts'
import { nextTask } from '../domain/task/next-state.ts'
import { type RecordedTask, sessionRecord } from '../domain/task/session-record.ts'
import type { TaskPlace } from '../ports/files/handoff.ts'
import type { TaskDraft } from '../ports/store/tasks.ts'
import { viewPath } from './view-directory.ts'

export function stateText(task: RecordedTask & TaskPlace, tmuxSession: string): string {
  const view = viewPath(task)
  const places = { promptFile: `${view}/prompt.md`, resultFile: `${view}/result.json`, tmuxSession }
  return `${JSON.stringify(sessionRecord(task, places), null, 2)}\n`
}

/** A draft's state is the one the store will give it. */
export function draftStateText(draft: TaskDraft, tmuxSession: string): string {
  const { to: status, phase } = nextTask('new', 'created')
  const unset = { startedAt: null, endedAt: null, exitCode: null, exitSignal: null, reason: null }
  return stateText({ ...draft, ...unset, status, phase, hookViolations: [] }, tmuxSession)
}

export const promptText = ({ id, snapshot }: TaskDraft) => fillSessionId(snapshot.prompt, id)
