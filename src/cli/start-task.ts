// Owns what `create` and `run` share: start the task, say so, and wait for it if asked.
import type { CreatedJson } from '../protocol/api.ts'
import type { TaskDetailJson } from '../protocol/task-json.ts'
import type { Context } from './context.ts'
import { follow } from './follow.ts'
import { onInterrupt } from './interrupt.ts'
import { readContract } from './read-contract.ts'
import { oneLine } from './render/cells.ts'
import { fields } from './render/fields.ts'
import { elapsed } from './render/time.ts'
import { type TaskOptions, taskRequest, type Work } from './task-request.ts'
import { writeOut } from './write-out.ts'

export async function startTask(work: Work, options: TaskOptions, context: Context): Promise<number> {
  const request = taskRequest(work, options, context, await readContract(options.verify, context))
  const created = await context.daemon().call('POST /api/tasks', { body: request })
  if (options.wait) return await waitForTask(created, context)
  context.show(created, () => announcement(created.task))
  if (!context.json) for (const notice of created.notices) context.say(`Notice: ${notice}`)
  return 0
}

/** The first line's third word is the id: programs cut it out. */
function announcement({ session_id, workspace, tmux_session }: TaskDetailJson): string[] {
  return [
    `Session created: ${session_id}`,
    ...fields(
      [
        ['Workspace', workspace],
        ['Tmux', tmux_session],
        ['Attach', `holdfast attach ${session_id}`],
      ],
      '  ',
    ),
  ]
}

/** A question in output.log. */
const ASKS = /^asks: /m

/** Output goes to stdout as it comes, all else to stderr. Ctrl-C ends the waiting, not the task. */
async function waitForTask({ task, notices }: CreatedJson, context: Context): Promise<number> {
  const { session_id: id } = task
  const { json, say, paint } = context
  if (!json)
    for (const line of [...announcement(task), ...notices.map((text) => `Notice: ${text}`)]) say(line)
  onInterrupt(() => say(`Stopped waiting; session ${id} goes on. Watch it with \`holdfast logs -f ${id}\`.`))
  const write = async (bytes: Buffer) => {
    await writeOut(bytes)
    if (ASKS.test(bytes.toString())) say(`Answer with \`holdfast answer ${id} <choice>\`.`)
  }
  const ended = await follow(context, 'GET /api/tasks/:id/output', id, json ? async () => {} : write)
  const completed = ended.task_status === 'completed'
  if (json) context.show({ task: ended, notices }, () => [])
  else say(paint(completed ? 'green' : 'red', ending(ended)))
  return completed ? 0 : 2
}

function ending({ session_id, status, reason, elapsed_seconds }: TaskDetailJson): string {
  const why = status === 'COMPLETED' || reason === null ? '' : `: ${oneLine(reason)}`
  return `Session ${status.toLowerCase()}: ${session_id} after ${elapsed(elapsed_seconds)}${why}`
}
