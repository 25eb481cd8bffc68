import { isEnded } from '../../../domain/task/machine.ts'
import type { TaskDetailJson } from '../../../protocol/json/task-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { fields } from '../../render/print/fields.ts'
import { elapsed, localSecond } from '../../render/print/time.ts'
import { nodeLine, nodeText } from '../../render/text/elsewhere-text.ts'
import { nextText, waitingPrompts } from '../../render/text/next-text.ts'
import { questionLines } from '../../render/text/question-text.ts'
import { statusText } from '../../render/text/status-text.ts'

export async function status({ args }: InputOf<'status'>, context: Context): Promise<number> {
  const task = await context.daemon().call('GET /api/tasks/:id', { id: args.id })
  context.show(task, () => statusLines(task))
  return 0
}

export function statusLines(task: TaskDetailJson): string[] {
  return [...taskFields(task), ...task.questions.flatMap(questionLines)]
}

function taskFields(task: TaskDetailJson): string[] {
  return fields([
    ['Session', task.session_id],
    ['Agent', task.agent === task.agent_kind ? task.agent : `${task.agent} (${task.agent_kind})`],
    ['Model', task.model],
    ['Status', statusText(task, Date.now())],
    ['Node', nodeLine(task)],
    ['Queue', task.queue_position === null ? null : `position ${task.queue_position}`],
    ['Waiting', waitingPrompts(task)],
    ['Reason', task.stopping ?? task.reason],
    ['Next', task.task_status === 'completed' ? null : nextText(task, Date.now())],
    // Of a session that goes on, it is the end of an earlier run.
    [isEnded(task.task_status) ? 'Exit' : 'Last exit', exit(task)],
    ['Created', localSecond(task.created_at)],
    ['Started', task.started_at && localSecond(task.started_at)],
    ['Ended', task.completed_at && localSecond(task.completed_at)],
    ['Archived', task.archived_at && localSecond(task.archived_at)],
    ['Elapsed', elapsed(task.elapsed_seconds)],
    ['Tmux', `${task.tmux_session} (${tmuxText(task)})`],
    ['Run', task.run_id],
    ['Directory', task.dir],
    ['Workspace', task.workspace],
    ['Blocked', task.hook_violations.join('; ')],
    ['Tags', task.tags.join(', ')],
    ['Tokens', task.tokens_in + task.tokens_out > 0 ? `${task.tokens_in} in, ${task.tokens_out} out` : null],
    ['Cost', task.cost_usd > 0 ? `$${task.cost_usd.toFixed(2)}` : null],
  ])
}

/** Of the tmux of another daemon nothing is seen here. */
function tmuxText(task: TaskDetailJson): string {
  const node = nodeText(task)
  if (node !== null) return `on ${node}`
  return task.tmux_active ? 'active' : 'not active'
}

function exit({ exit_code, exit_signal }: TaskDetailJson): string | null {
  if (exit_signal !== null) return `signal ${exit_signal}`
  return exit_code === null ? null : `code ${exit_code}`
}
