// Owns what `create` and `run` share: start the task, print that, and wait for it if asked.
import { isHoldfastError } from '../../domain/errors.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { CreatedJson, CreateTaskJson } from '../../protocol/json/create-json.ts'
import type { TaskDetailJson } from '../../protocol/json/task-json.ts'
import { ask, isYes } from '../ask.ts'
import type { Context } from '../context.ts'
import { onInterrupt } from '../interrupt.ts'
import { oneLine } from '../render/print/cells.ts'
import { fields } from '../render/print/fields.ts'
import { elapsed } from '../render/print/time.ts'
import { writeOut } from '../render/print/write-out.ts'
import { howToGoOn } from '../render/text/monitor-text.ts'
import { noticeLines } from '../render/text/notice-lines.ts'
import { follow } from '../waiting/follow.ts'
import { tellWaiting } from '../waiting/tell-waiting.ts'
import { typedAnswers } from '../waiting/typed-answers.ts'
import { waitForTasks } from '../waiting/wait-for-tasks.ts'
import { readContract } from './read-contract.ts'
import { type TaskOptions, taskRequest, type Work } from './task-request.ts'

export async function startTask(work: Work, options: TaskOptions, context: Context): Promise<number> {
  const request = taskRequest(work, options, context, await readContract(options.verify, context))
  const created = await create(request, context)
  if (options.wait) return await waitForTask(created, context)
  context.show(created, () => announcement(created.task))
  if (!context.json) for (const line of noticeLines(created)) context.say(line)
  return 0
}

/** A person is asked before agents may work in a whole home directory, or in `/`. */
async function create(request: CreateTaskJson, context: Context): Promise<CreatedJson> {
  const post = (body: CreateTaskJson) => context.daemon().call('POST /api/tasks', { body })
  try {
    return await post(request)
  } catch (error) {
    if (!isHoldfastError(error, 'WORKSPACE_TOO_WIDE') || !context.canAsk()) throw error
    if (!isYes(await ask(`${error.message} Allow it? [y/N]: `))) throw error
    return await post({ ...request, allow_wide_dir: true })
  }
}

/** The third word of the first line is the id: programs cut it out. */
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

/** The line of a question in output.log. */
const ASKS = /^asks: /m

/** Output goes to stdout as it comes, everything else to stderr. Ctrl-C ends the waiting, not the task. */
async function waitForTask(created: CreatedJson, context: Context): Promise<number> {
  const { session_id: id } = created.task
  const { json, say, paint } = context
  if (!json) for (const line of [...announcement(created.task), ...noticeLines(created)]) say(line)
  onInterrupt(() => say(`Stopped waiting; session ${id} goes on. Watch it with \`holdfast logs -f ${id}\`.`))
  const answers = typedAnswers(id, context)
  const write = async (bytes: Buffer) => {
    await writeOut(bytes)
    if (!ASKS.test(bytes.toString())) return
    const elsewhere = `\`holdfast answer ${id} <choice>\``
    say(
      answers.listen() ? `Type your answer here, or give it with ${elsewhere}.` : `Answer with ${elsewhere}.`,
    )
  }
  const onOutput = json ? async () => {} : write
  const untold = json ? () => {} : tellWaiting(id, context)
  const task = await follow(context, 'GET /api/tasks/:id/output', id, onOutput, 'idle').finally(untold)
  answers.close()
  if (!isEnded(task.task_status)) return await reportIdle({ ...created, task }, context)
  const completed = task.task_status === 'completed'
  if (json) context.show({ ...created, task }, () => [])
  else say(paint(completed ? 'green' : 'red', ending(task)))
  return completed ? 0 : 2
}

function ending({ session_id, status, reason, elapsed_seconds }: TaskDetailJson): string {
  const why = status === 'COMPLETED' || reason === null ? '' : `: ${oneLine(reason)}`
  return `Session ${status.toLowerCase()}: ${session_id} after ${elapsed(elapsed_seconds)}${why}`
}

/** For a session whose turn is over, and which waits for more prompts. If it has a contract, its work is verified now. */
async function reportIdle(created: CreatedJson, context: Context): Promise<number> {
  const { session_id: id } = created.task
  const forEver = { timeoutMs: null, maxPolls: Number.POSITIVE_INFINITY, onLook: () => {} }
  const { look } = await waitForTasks({ ask: { ids: [id] }, ...forEver }, context)
  const [task] = look.tasks
  const isGood = task?.final_state === 'completed'
  if (context.json) context.show(created, () => [])
  else {
    const word = isGood ? 'idle' : (task?.final_state ?? 'idle').replaceAll('_', ' ')
    context.say(
      context.paint(isGood ? 'green' : 'red', `Session ${word}: ${id}: ${oneLine(task?.exit_reason ?? '')}`),
    )
    for (const line of howToGoOn(id)) context.say(line)
  }
  return isGood ? 0 : 2
}
