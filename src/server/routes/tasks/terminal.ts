// Owns the live terminal of a session. The same address answers with JSON, so that a browser can learn why there is none:
// it does not show a page the answer to a WebSocket that was refused.
import { type Context, Hono } from 'hono'
import { HoldfastError, messageOf } from '../../../domain/errors.ts'
import type { Caller } from '../../../domain/task/caller.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { TerminalJson } from '../../../protocol/json/terminal-json.ts'
import { callerOf, checkMayType, mayStillAsk } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { OpenTerminals } from '../../terminal/open-terminals.ts'
import { show } from '../../terminal/show.ts'
import { upgradeOf } from '../../via.ts'

type TerminalContext = Uses<
  'tasks' | 'runs' | 'audit',
  'viewers' | 'clock' | 'log' | 'stopping' | 'tokens' | 'keys' | 'about'
>

export function terminalRoutes(context: TerminalContext): Hono {
  const { desk, viewers } = context
  const routes = new Hono()
  const terminals = new OpenTerminals()

  routes.get('/:id/terminal', async (c) => {
    const task = await desk.tasks.find(c.req.param('id'))
    const typing = typingAsked(c)
    if (typing) checkMayType(callerOf(c))
    const upgrade = upgradeOf(c)
    if (upgrade === undefined) {
      terminals.check(callerOf(c))
      return c.json(await about(task, callerOf(c), context))
    }
    const close = terminals.take(callerOf(c))
    try {
      const viewer = await viewers.open({ task: task.id, mark: markOf(task), typing })
      if (viewer === undefined) throw noTerminal(task)
      viewer.onEnd(close)
      // Nobody types before that is on record.
      const told = typing ? await recordTyping(c, task, context).catch(endAnd(viewer.end)) : () => {}
      const mayStill = () => mayStillAsk(c, context)
      upgrade.take((socket) => show(viewer, socket, { ...context, mayStill, onEnd: told }), viewer.end)
    } catch (error) {
      close()
      throw error
    }
    return c.body(null)
  })

  return routes
}

async function about(task: Task, caller: Caller, { viewers }: TerminalContext): Promise<TerminalJson> {
  const size = await viewers.sizeOf({ task: task.id, mark: markOf(task) })
  if (size === undefined) throw noTerminal(task)
  const { columns, rows } = size
  return { session_id: task.id, columns, rows, may_type: caller.kind === 'person' }
}

function typingAsked(c: Context): boolean {
  const typing = c.req.query('typing') ?? '0'
  if (typing === '0' || typing === '1') return typing === '1'
  throw new HoldfastError('INVALID_REQUEST', "'typing' must be 0 or 1.")
}

/** Returns what is to be called when it is over, with the number of bytes. */
async function recordTyping(
  c: Context,
  { id }: Task,
  { desk, clock, log }: TerminalContext,
): Promise<(bytes: number) => void> {
  const caller = callerOf(c)
  await desk.audit.add('terminal_typing_on', caller, 'a live terminal', id)
  const since = clock.monotonic()
  return (bytes) => {
    const seconds = Math.round((clock.monotonic() - since) / 1000)
    desk.audit
      .add('terminal_typing_off', caller, `${bytes} bytes typed in ${seconds} s`, id)
      .catch((error) =>
        log.error('the end of typing could not be written to the audit', { error: messageOf(error) }),
      )
  }
}

const endAnd = (end: () => void) => (error: unknown) => {
  end()
  throw error
}

/** A pane is marked with its run. */
function markOf(task: Task): string {
  if (task.runId === null) throw noTerminal(task)
  return task.runId
}

const noTerminal = ({ id }: Task) =>
  new HoldfastError('TASK_NOT_ACTIVE', `Session ${id} has no terminal now.`)
