// Owns what session.log says: lines that follow from a task's stored steps, the same ones every time. Pure.
import type { TaskEvent } from '../../domain/task/machine.ts'
import { viewOf } from '../../domain/task/status-view.ts'
import type { Task } from '../../domain/task/task.ts'
import type { LogLevel, LogLine } from '../../ports/files/handoff.ts'
import type { Transition } from '../../ports/store/tasks.ts'

/** Where a task stood before a step. */
type Before = { readonly phase: Transition['phase']; readonly hadStarted: boolean }
type Logged = Pick<Task, 'id' | 'role' | 'agent' | 'createdBy'>
type Places = { readonly promptFile: string; readonly tmuxSession: string }

export function sessionLog(task: Logged, steps: readonly Transition[], places: Places): LogLine[] {
  const firstStart = steps.findIndex(({ event }) => event === 'launched')
  return steps.flatMap((step, at) => {
    const hadStarted = firstStart !== -1 && at > firstStart
    return linesOf(task, step, { phase: steps[at - 1]?.phase ?? null, hadStarted }, places)
  })
}

function linesOf(task: Logged, step: Transition, before: Before, places: Places): LogLine[] {
  const line = (message: string, level: LogLevel = 'INFO'): LogLine => ({ at: step.at, level, message })
  const arrow = arrowOf(step, before)
  const exit = exitOf(step)
  switch (step.event) {
    case 'created':
      return [
        line(`Session created: ${task.id}`),
        line(`Agent: ${task.role ?? task.agent}`),
        line(`Requested by: ${task.createdBy}`),
        line(`Task prompt: ${places.promptFile}`),
      ]
    case 'launched':
      return [line(windowOf(step, places)), line(arrow)]
    case 'agent_started':
      return [line(`Agent started: run ${step.runId}`)]
    case 'completed':
      return [...(exit ? [line(exit)] : []), line(arrow), line('Result written: result.json')]
    case 'failed':
      return [...(exit ? [line(exit)] : []), line(arrow, 'ERROR')]
    case 'cancelled':
      return [line(arrow, 'WARN')]
    default:
      return [isRetriedDeath(step) ? line(exit ? `${arrow}. ${exit}` : arrow, 'WARN') : line(arrow)]
  }
}

/** The step is stored before the run starts, so the line only says where its window will be. */
const windowOf = ({ evidence }: Transition, { tmuxSession }: Places) =>
  evidence.some(({ source }) => source === 'tmux')
    ? 'No tmux session: tmux does not work. Its window opens when tmux works again'
    : `tmux session: ${tmuxSession}`

/** The change of status; if that stays the same, the change of phase: `Phase: working → asking (its question)`. */
function arrowOf({ from, to, phase, reason }: Transition, before: Before): string {
  const left = from === 'new' ? 'NEW' : viewOf(from, before.hadStarted)
  const right = viewOf(to, before.hadStarted)
  if (left !== right) return `Status: ${left} → ${right} (${reason})`
  return before.phase === phase
    ? `Phase: ${phase} (${reason})`
    : `Phase: ${before.phase} → ${phase} (${reason})`
}

const GOES_ON: ReadonlySet<TaskEvent> = new Set(['requeued', 'backed_off', 'parked', 'escalated'])

/** The run ended without an order, and the task is brought back, or a person is asked. */
const isRetriedDeath = ({ event, evidence }: Transition) =>
  GOES_ON.has(event) &&
  evidence.some(({ source }) => source === 'exit_record' || source === 'process') &&
  !evidence.some(({ source }) => source === 'person')

/** Taken from the step's own evidence, because the task's exit code may be that of a later run. */
function exitOf({ evidence }: Transition): string | undefined {
  const exit = evidence.find(({ source }) => source === 'exit_record')
  return exit && `Exit ${exit.fact.replace(' ', ': ')}`
}
