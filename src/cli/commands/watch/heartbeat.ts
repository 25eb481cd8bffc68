import { HoldfastError } from '../../../domain/errors.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'

export async function heartbeat({ args, options }: InputOf<'heartbeat'>, context: Context): Promise<number> {
  const id = args.id ?? context.env.HOLDFAST_TASK_ID
  if (id === undefined) throw new HoldfastError('USAGE', 'Name a session, or call this from inside a run.')
  const body = options.status === undefined ? {} : { status: options.status }
  const heard = await context.daemon().call('POST /api/tasks/:id/heartbeat', { id, body })
  context.show(heard, () => [`${heard.session_id}: heartbeat received`])
  return 0
}
