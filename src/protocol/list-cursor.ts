// Owns `next`: where a list goes on. Clients do not read it; they send it back as it is.

/** A place in the list: right after this task, in the part of the ended tasks or in the other part. */
export type ListCursor = { readonly ended: boolean; readonly createdAt: number; readonly id: string }

export const cursorText = ({ ended, createdAt, id }: ListCursor): string =>
  Buffer.from(`${ended ? 'e' : 'u'}${createdAt}.${id}`).toString('base64url')

/** Undefined when the text is not one of ours. */
export function cursorOf(text: string): ListCursor | undefined {
  if (!/^[A-Za-z0-9_-]{1,400}$/.test(text)) return undefined
  const [, part, createdAt, id] =
    /^([eu])(\d{1,16})\.(.*)$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  return id === undefined ? undefined : { ended: part === 'e', createdAt: Number(createdAt), id }
}

/** Whether tasks that have not ended may still follow after `next`; they come first in the list. */
export const leavesUnended = (next: string): boolean => cursorOf(next)?.ended === false
