import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { HoldfastError } from '../../../domain/errors.ts'
import { isEnded } from '../../../domain/task/machine.ts'
import type { TaskDetailJson } from '../../../protocol/json/task-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'
import { nextText } from '../../render/text/next-text.ts'
import { showComingBack } from '../../waiting/coming-back.ts'
import { attach } from '../watch/attach.ts'

const LOOK_AGAIN_MS = 200
/** The old run of the session may take its whole grace time to end. */
const PATIENCE_MS = 60_000

export async function takeover({ args, options }: InputOf<'takeover'>, context: Context): Promise<number> {
  if (options.attach && !(isatty(0) && isatty(1)))
    throw new HoldfastError('USAGE', '--attach needs a terminal.')
  const task = await context.daemon().call('POST /api/tasks/:id/takeover', { id: args.id })
  const { session_id: id } = task
  if (!options.attach) {
    context.show(task, () => [
      `${id} moves into its terminal.`,
      `  Next:           ${oneLine(nextText(task, Date.now()))}`,
      `  Attach with:    holdfast attach ${id}`,
      `  Hand back with: holdfast handback ${id}`,
    ])
    return 0
  }
  context.say(`${id} moves into its terminal …`)
  await untilInTerminal(id, context)
  return attach({ args: { id }, options: { 'read-only': false } }, context)
}

async function untilInTerminal(id: string, context: Context): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const task = await context.daemon().call('GET /api/tasks/:id', { id })
    if (isInTerminal(task)) return
    if (isEnded(task.task_status) || performance.now() > deadline)
      throw new HoldfastError('TMUX_UNAVAILABLE', `${id} has no terminal yet: see \`holdfast why ${id}\`.`)
    await sleep(LOOK_AGAIN_MS)
  }
}

const isInTerminal = ({ mode, status, tmux_active }: TaskDetailJson) =>
  mode === 'interactive' && status === 'RUNNING' && tmux_active

export async function handback({ args }: InputOf<'handback'>, context: Context): Promise<number> {
  showComingBack(await context.daemon().call('POST /api/tasks/:id/handback', { id: args.id }), context)
  return 0
}
