import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'

export async function createThread(
  { args, options }: InputOf<'thread create'>,
  context: Context,
): Promise<number> {
  const { member, workspace, key } = options
  const body = { title: args.title.join(' '), members: [...member], workspace, key }
  const thread = await context.daemon().call('POST /api/threads', { body })
  context.show(thread, () => [
    `Thread ${thread.thread_id}: ${oneLine(thread.title)}`,
    `  Post to it with \`holdfast thread post ${thread.thread_id} "…"\`.`,
  ])
  return 0
}
