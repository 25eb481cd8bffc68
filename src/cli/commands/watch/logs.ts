import { text } from 'node:stream/consumers'
import { HoldfastError } from '../../../domain/errors.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { writeOut } from '../../render/print/write-out.ts'
import { nodeText } from '../../render/text/elsewhere-text.ts'
import { follow, type TextRoute } from '../../waiting/follow.ts'

export async function logs({ args: { id }, options }: InputOf<'logs'>, context: Context): Promise<number> {
  const route = routeOf(options)
  if (options.follow && context.json)
    throw new HoldfastError(
      'USAGE',
      '--json cannot be used together with --follow. For one JSON value per line, use --raw.',
    )
  await checkIsHere(id, context)
  if (options.follow) {
    await follow(context, route, id, writeOut)
    return 0
  }
  const stream = await context.daemon().stream(route, { id, query: {} })
  if (context.json) context.show({ session_id: id, text: await text(stream) }, () => [])
  else for await (const bytes of stream) await writeOut(bytes)
  return 0
}

/** The output of another daemon's session is not on this machine: what could be read here is empty. */
async function checkIsHere(id: string, context: Context): Promise<void> {
  const task = await context.daemon().call('GET /api/tasks/:id', { id })
  const node = nodeText(task)
  if (node !== null)
    throw new HoldfastError(
      'OTHER_NODE',
      `${task.session_id} is a session of the daemon on ${node}. Its output is kept there.`,
    )
}

function routeOf({ raw, session }: InputOf<'logs'>['options']): TextRoute {
  if (raw && session) throw new HoldfastError('USAGE', 'Choose one of --raw and --session.')
  if (raw) return 'GET /api/tasks/:id/raw'
  return session ? 'GET /api/tasks/:id/session-log' : 'GET /api/tasks/:id/output'
}
