// Owns posting to threads and reading them.
//
// A reader's cursor moves only when the reader says, with `upTo`, which messages it is done with. Until then it is told
// the same messages again: reading may repeat, but nothing is lost when an answer does not arrive.
import type { Caller } from '../domain/task/caller.ts'
import { checkMessageText, checkRefs } from '../domain/thread/check-message.ts'
import type { Message, MessageKind, Thread } from '../domain/thread/thread.ts'
import { checkThreadId } from '../domain/thread/thread-id.ts'
import type { Desk } from '../supervisor/desk.ts'
import { participantOf } from './participant.ts'

export type PostAsk = {
  readonly thread: string
  readonly kind: MessageKind
  readonly refs: readonly string[]
  readonly text: string
  readonly key: string | null
}
export type ReadAsk = {
  readonly thread: string
  /** The caller is done with the messages up to this one. */
  readonly upTo: number | undefined
  /** How long to wait for a message when there is none. */
  readonly waitMs: number
  readonly most: number
}
export type Unread = {
  readonly thread: Thread
  readonly reader: string
  /** The last message that the reader is done with. */
  readonly cursor: number
  readonly messages: readonly Message[]
  /** What to give as `upTo` once these messages are read. */
  readonly upTo: number
  /** There are more behind these. */
  readonly more: boolean
}

type Uses = { readonly desk: Pick<Desk, 'threads' | 'tasks'> }

/** `thread` is as it is afterwards: the message may have blocked it. */
export async function postMessage(
  caller: Caller,
  ask: PostAsk,
  { desk }: Uses,
): Promise<{ readonly message: Message; readonly thread: Thread }> {
  const { name: author } = await participantOf(caller, desk)
  const threadId = checkThreadId(ask.thread)
  const [text, refs] = [checkMessageText(ask.text), checkRefs(ask.refs)]
  const message = await desk.threads.post({ threadId, author, kind: ask.kind, refs, text, key: ask.key })
  return { message, thread: await desk.threads.get(threadId) }
}

/** In their order, whoever wrote and read them. */
export async function listMessages(
  { thread, after, most }: { readonly thread: string; readonly after: number; readonly most: number },
  { desk }: Uses,
): Promise<Message[]> {
  const { id } = await desk.threads.get(checkThreadId(thread))
  return desk.threads.messages(id, { after, most })
}

/** What others posted and the caller is not done with. */
export async function readMessages(caller: Caller, ask: ReadAsk, { desk }: Uses): Promise<Unread> {
  const { name: reader } = await participantOf(caller, desk)
  const { id } = await desk.threads.get(checkThreadId(ask.thread))
  if (ask.upTo !== undefined) await desk.threads.moveCursor(id, reader, ask.upTo)
  const look = () => unreadBy(reader, id, ask.most, desk)
  const whenAny = async () => {
    const unread = await look()
    return unread.messages.length > 0 ? unread : undefined
  }
  return (await desk.threads.whenFound(id, whenAny, ask.waitMs)) ?? (await look())
}

async function unreadBy(
  reader: string,
  id: Thread['id'],
  most: number,
  { threads }: Pick<Desk, 'threads'>,
): Promise<Unread> {
  const cursor = await threads.cursor(id, reader)
  // Before the messages: what is posted meanwhile is not passed by.
  const thread = await threads.get(id)
  const found = await threads.messages(id, { after: cursor, most: most + 1, exceptOf: reader })
  const messages = found.slice(0, most)
  const more = found.length > most
  const last = messages.at(-1)?.number ?? cursor
  return { thread, reader, cursor, messages, upTo: more ? last : Math.max(last, thread.lastNumber), more }
}
