// Owns what state.json and prompt.md say.
import { fillSessionId } from '../domain/layout-prompt.ts'
import { nextTask } from '../domain/next-state.ts'
import { type RecordedTask, sessionRecord } from '../domain/session-record.ts'
import type { TaskPlace } from '../ports/handoff.ts'
import type { TaskDraft } from '../ports/store-changes.ts'
import { viewPath } from './view-directory.ts'

export function stateText(task: RecordedTask & TaskPlace): string {
  const view = viewPath(task)
  const files = { promptFile: `${view}/prompt.md`, resultFile: `${view}/result.json` }
  return `${JSON.stringify(sessionRecord(task, files), null, 2)}\n`
}

/** A draft's state is the one the store will give it. */
export function draftStateText(draft: TaskDraft): string {
  const { to: status, phase } = nextTask('new', 'created')
  const unset = { startedAt: null, endedAt: null, exitCode: null, exitSignal: null, reason: null }
  return stateText({ ...draft, ...unset, status, phase, hookViolations: [] })
}

export const promptText = ({ id, snapshot }: TaskDraft) => fillSessionId(snapshot.prompt, id)
