import type { UnreadJson } from '../../../protocol/json/thread-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { onInterrupt } from '../../interrupt.ts'
import { messageLines } from '../../render/text/message-text.ts'
import { waitForMessages } from '../../waiting/wait-for-messages.ts'
import { countOf } from './count-of.ts'

/** Messages count as read when they are printed: if this process dies before, they are printed the next time. */
export async function readThread(
  { args, options }: InputOf<'thread read'>,
  context: Context,
): Promise<number> {
  const { wait, keep } = options
  const limit = countOf('limit', options.limit)
  if (wait !== undefined) onInterrupt(() => context.say('Stopped waiting. Nothing was marked as read.'))
  const unread = await waitForMessages({ id: args.thread, limit, waitSeconds: wait }, context)
  context.show(unread, () => unreadLines(unread))
  const { thread_id: id, up_to, cursor, messages, more } = unread
  if (!keep && up_to > cursor)
    await context.daemon().call('POST /api/threads/:id/read', { id, body: { up_to, limit: 1 } })
  if (more) context.say('There are more messages: read again.')
  return wait !== undefined && messages.length === 0 ? 1 : 0
}

const unreadLines = ({ messages, thread_id }: UnreadJson): string[] =>
  messages.length === 0
    ? [`Nothing new in ${thread_id}`]
    : messages.flatMap((message, at) => [...(at === 0 ? [] : ['']), ...messageLines(message)])
