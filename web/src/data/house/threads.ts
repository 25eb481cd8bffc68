import type { MessageJson } from '../../../../src/protocol/json/thread-json.ts'
import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

/** The first page, newest first. */
export const useThreads = () =>
  useResource(['threads', 'list'], () => call('GET /api/threads', { query: {} }))

export const useThread = (id: string) =>
  useResource(['threads', id], () => call('GET /api/threads/:id', { id }))

/** The most that the daemon gives at once. */
const PAGE = 200
/** More than anybody reads: the rest is in the command line. */
const MOST_PAGES = 10

/** All messages, oldest first; `whole` is false when there are too many to show. */
export const useMessages = (id: string) => useResource(['threads', id, 'messages'], () => allMessages(id))

async function allMessages(id: string): Promise<{ messages: MessageJson[]; whole: boolean }> {
  const messages: MessageJson[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { limit: String(PAGE), ...(after === undefined ? {} : { after }) }
    const part = await call('GET /api/threads/:id/messages', { id, query })
    messages.push(...part.messages)
    if (part.next === null) return { messages, whole: true }
    after = String(part.next)
  }
  return { messages, whole: false }
}
