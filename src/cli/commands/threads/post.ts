import type { PostedJson } from '../../../protocol/json/thread-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'
import { messageGiven } from '../../starting/message-given.ts'

export async function postMessage(
  { args, options }: InputOf<'thread post'>,
  context: Context,
): Promise<number> {
  const { file, kind, ref, key } = options
  const text = await messageGiven({ words: args.text, file }, context)
  const posted = await context
    .daemon()
    .call('POST /api/threads/:id/messages', { id: args.thread, body: { text, kind, refs: [...ref], key } })
  context.show(posted, () => postedLines(posted))
  return 0
}

function postedLines({ message, thread }: PostedJson): string[] {
  const said = `Posted #${message.number} to ${thread.thread_id} as ${oneLine(message.author)}.`
  if (thread.blocked === null) return [said]
  return [
    said,
    `  The thread is blocked for agents: ${oneLine(thread.blocked.why)}.`,
    `  A person lets it go on with \`holdfast thread continue ${thread.thread_id}\`.`,
  ]
}
