import type { MessageJson, MessageListJson, ThreadDetailJson } from '../../../protocol/json/thread-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'
import { localSecond } from '../../render/print/time.ts'
import { messageLines } from '../../render/text/message-text.ts'
import { countOf } from './count-of.ts'

const MOST_PER_PAGE = 200

export async function showThread(
  { args, options }: InputOf<'thread show'>,
  context: Context,
): Promise<number> {
  const thread = await context.daemon().call('GET /api/threads/:id', { id: args.thread })
  const messages = await lastOf(thread, countOf('last', options.last) ?? 20, context)
  context.show({ ...thread, last_messages: messages }, () => threadLines(thread, messages))
  return 0
}

async function lastOf(
  { thread_id: id, messages }: ThreadDetailJson,
  most: number,
  { daemon }: Context,
): Promise<MessageJson[]> {
  const found: MessageJson[] = []
  let after: number | null = Math.max(0, messages - most)
  while (after !== null && found.length < most) {
    const query = { after: String(after), limit: String(Math.min(MOST_PER_PAGE, most - found.length)) }
    const page: MessageListJson = await daemon().call('GET /api/threads/:id/messages', { id, query })
    found.push(...page.messages)
    after = page.next
  }
  return found
}

function threadLines(thread: ThreadDetailJson, messages: readonly MessageJson[]): string[] {
  const { thread_id, title, created_by, created_at, blocked, members } = thread
  return [
    `${thread_id}: ${oneLine(title)}`,
    `  Opened by ${oneLine(created_by)}, ${localSecond(created_at)}`,
    ...(blocked === null
      ? []
      : [
          `  BLOCKED since ${localSecond(blocked.at)}: ${oneLine(blocked.why)}.`,
          `  Agents may post again after \`holdfast thread continue ${thread_id}\`.`,
        ]),
    `  Members: ${members.map((member) => memberText(member, thread)).join(', ')}`,
    ...messages.flatMap((message) => ['', ...messageLines(message)]),
  ]
}

const memberText = (
  { name, read, not_woken }: ThreadDetailJson['members'][number],
  { messages }: ThreadDetailJson,
) => `${oneLine(name)} (read ${read} of ${messages}${not_woken === null ? '' : `; not woken: ${not_woken}`})`
