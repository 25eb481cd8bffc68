// Owns `next`: where a list goes on. Nothing to read for whoever gets it; handed back as it is.

/** A place in the list of tasks: right after this one, among those that have ended or the others. */
export type ListCursor = { readonly ended: boolean; readonly createdAt: number; readonly id: string }

export const cursorText = ({ ended, createdAt, id }: ListCursor): string =>
  Buffer.from(`${ended ? 'e' : 'u'}${createdAt}.${id}`).toString('base64url')

/** Undefined when nobody here wrote it. */
export function cursorOf(text: string): ListCursor | undefined {
  if (!/^[A-Za-z0-9_-]{1,400}$/.test(text)) return undefined
  const [, part, createdAt, id] =
    /^([eu])(\d{1,16})\.(.*)$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  return id === undefined ? undefined : { ended: part === 'e', createdAt: Number(createdAt), id }
}

/** Tasks that have not ended come first: whether the rest of the list has some. */
export const leavesUnended = (next: string): boolean => cursorOf(next)?.ended === false
