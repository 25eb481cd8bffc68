// Owns how far a member of a thread has read. Pure.
import type { MessageJson, ThreadMemberJson } from '../../../src/protocol/json/thread-json.ts'

/** Nobody has to read their own messages: those that follow what a member is done with count as read. */
export function readBy(
  { name, read }: Pick<ThreadMemberJson, 'name' | 'read'>,
  messages: readonly Pick<MessageJson, 'number' | 'author'>[],
): number {
  let last = read
  for (const { number, author } of messages) if (number === last + 1 && author === name) last = number
  return last
}

/** `all`: how many messages there are. */
export function readWords(
  member: Parameters<typeof readBy>[0],
  messages: Parameters<typeof readBy>[1],
  all: number,
): string {
  const read = readBy(member, messages)
  return read >= all ? 'has read all' : `has read ${read} of ${all}`
}
