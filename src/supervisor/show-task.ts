// Owns bringing a task's visible files up to what is stored. state.json and session.log are views of the store.

import type { TaskId } from '../domain/ids.ts'
import { tmuxSessionName } from '../domain/names.ts'
import { sessionStatus } from '../domain/status-view.ts'
import type { Task } from '../domain/task.ts'
import type { TaskStatus } from '../domain/task-machine.ts'
import type { LogLine } from '../ports/handoff.ts'
import type { Transition } from '../ports/store.ts'
import type { Core, Watch } from './core.ts'

export async function showTask(task: Task, core: Core): Promise<void> {
  core.laterShows.remove(task.id)
  await core.handoff.writeState(task)
  await showLog(task, core)
}

export async function showStored(id: TaskId, core: Core): Promise<void> {
  const task = await core.store.task(id)
  if (task !== undefined) await showTask(task, core)
}

/** Of one that goes on, whose files have not followed yet, they say that it runs: there is no hurry. */
export async function showStart({ task }: Watch, core: Core): Promise<void> {
  if (!core.laterShows.has(task.id)) await showTask(task, core)
}

/** Each transition makes the same lines every time, so the file's length tells which are missing, also after a crash. */
async function showLog(task: Task, core: Core): Promise<void> {
  const lines = (await core.store.transitions(task.id)).flatMap((transition) =>
    sessionLogLines(task, transition, core),
  )
  const missing = lines.slice(await core.handoff.logLength(task))
  if (missing.length > 0) await core.handoff.log(task, missing)
}

export function sessionLogLines(task: Task, step: Transition, core: Pick<Core, 'handoff'>): LogLine[] {
  const at = step.at
  const info = (message: string): LogLine => ({ at, level: 'INFO', message })
  const arrow = info(`Status: ${viewOf(step.from)} → ${sessionStatus(step.to)} (${step.reason})`)
  switch (step.event) {
    case 'created':
      return [
        info(`Session created: ${task.id}`),
        info(`Agent: ${task.role ?? task.agent}`),
        info(`Requested by: ${task.createdBy}`),
        info(`Task prompt: ${core.handoff.paths(task).promptFile}`),
      ]
    case 'launched':
      return [info(`tmux session started: ${tmuxSessionName(task.id)}`), arrow]
    case 'agent_started':
      return [info(`Agent started: run ${step.runId}`)]
    case 'completed':
      return [...exitLines(step), arrow, info('Result written: result.json')]
    case 'failed':
      return [...exitLines(step), { ...arrow, level: 'ERROR' }]
    case 'cancelled':
      return [{ ...arrow, level: 'WARN' }]
    default:
      return [arrow]
  }
}

/** From the transition's own evidence: the task's exit code may be a later run's. */
function exitLines(step: Transition): LogLine[] {
  const exit = step.evidence.find(({ source }) => source === 'exit_record')
  if (exit === undefined) return []
  return [{ at: step.at, level: 'INFO', message: `Exit ${exit.fact.replace(' ', ': ')}` }]
}

const viewOf = (state: Transition['from']) => (state === 'new' ? 'NEW' : sessionStatus(state as TaskStatus))
