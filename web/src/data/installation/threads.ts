// Owns threads: the newest first, and of one thread its last messages first.
import type { MessageJson, ThreadJson } from '../../../../src/protocol/json/thread-json.ts'
import { call, order, Refused } from '../connection/call.ts'
import { refresh, useResource } from '../held/resource.ts'
import { useAskedWhenWider } from '../held/wider.ts'

export type ThreadState = ThreadJson['state']
export type ThreadsSoFar = { readonly threads: readonly ThreadJson[]; readonly whole: boolean }

/** The newest pages, newest first. */
export function useThreads(state: ThreadState | undefined, pages: number) {
  const key = ['threads', 'list', state ?? 'any']
  const known = useResource(key, () => newestThreads(state, pages))
  useAskedWhenWider(key, pages)
  return known
}

async function newestThreads(state: ThreadState | undefined, pages: number): Promise<ThreadsSoFar> {
  const threads: ThreadJson[] = []
  let after: string | undefined
  for (let page = 0; page < pages; page += 1) {
    const part = await call('GET /api/threads', { query: { state, after } })
    threads.push(...part.threads)
    if (part.next === null) return { threads, whole: true }
    after = part.next
  }
  return { threads, whole: false }
}

/** Those that a person must let go on. */
export const useBlockedThreads = () =>
  useResource(
    ['threads', 'blocked'],
    async () => (await call('GET /api/threads', { query: { state: 'blocked' } })).threads,
  )

export async function letThreadGoOn(id: string, why = ''): Promise<void> {
  await order('POST /api/threads/:id/continue', { id, body: why === '' ? {} : { why } })
  refresh(['threads'])
}

export const useThread = (id: string) =>
  useResource(['threads', id], () => call('GET /api/threads/:id', { id }))

/** The most that the daemon gives at once. */
export const MESSAGES_PER_PAGE = 200

/** The messages after the number `from`, oldest first. */
export function useMessages(id: string, from: number) {
  const key = ['threads', id, 'messages']
  const known = useResource(key, () => messagesAfter(id, from))
  useAskedWhenWider(key, from)
  return known
}

async function messagesAfter(id: string, from: number): Promise<readonly MessageJson[]> {
  const messages: MessageJson[] = []
  for (let after: number | null = from; after !== null; ) {
    const query = { limit: String(MESSAGES_PER_PAGE), after: String(after) }
    const part: { messages: MessageJson[]; next: number | null } = await call(
      'GET /api/threads/:id/messages',
      { id, query },
    )
    messages.push(...part.messages)
    after = part.next
  }
  return messages
}

/** The person is done with the messages up to this number. What is refused stays unread, and nothing else is lost. */
export async function haveRead(id: string, upTo: number): Promise<void> {
  try {
    await order('POST /api/threads/:id/read', { id, body: { up_to: upTo, limit: 1 } })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
}
