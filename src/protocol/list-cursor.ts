// Owns `next`: where a list goes on. Clients do not read it; they send it back as it is.

const PARTS = { u: 'unended', e: 'ended', s: 'by_end' } as const
const LETTERS = { unended: 'u', ended: 'e', by_end: 's' } as const

/**
 * A place in the list: right after this task, in one of its parts. `at`: when the task was created; in `by_end`, the only part
 * of a list of those that ended since a time, when it ended.
 */
export type ListCursor = { readonly part: keyof typeof LETTERS; readonly at: number; readonly id: string }

export const cursorText = ({ part, at, id }: ListCursor): string =>
  Buffer.from(`${LETTERS[part]}${at}.${id}`).toString('base64url')

/** Undefined when the text is not one of ours. */
export function cursorOf(text: string): ListCursor | undefined {
  if (!/^[A-Za-z0-9_-]{1,400}$/.test(text)) return undefined
  const [, letter, at, id] = /^([ues])(\d{1,16})\.(.*)$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  return id === undefined ? undefined : { part: PARTS[letter as keyof typeof PARTS], at: Number(at), id }
}

/** Whether tasks that have not ended may still follow after `next`; they come first in the list. */
export const leavesUnended = (next: string): boolean => cursorOf(next)?.part === 'unended'
