// Owns which entries of the palette have the letters that were typed, and in which order. Pure.

export type Findable = {
  readonly id: string
  readonly words: string
  /** What else it is found by: its key, a task's name. */
  readonly note?: string
}

/** Without letters so many others are shown below those that come first. */
const MOST_SHOWN = 9

/**
 * Every word of the text must occur; what begins with it comes first. `first`: what can be done here; all of it is shown
 * while nothing is typed.
 */
export function matching<Entry extends Findable>(
  first: readonly Entry[],
  others: readonly Entry[],
  text: string,
): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...first, ...others.slice(0, MOST_SHOWN)]
  const hay = ({ words: said, note, id }: Entry) => `${said} ${note ?? ''} ${id}`.toLowerCase()
  const found = [...first, ...others].filter((entry) => words.every((word) => hay(entry).includes(word)))
  const rank = (entry: Entry) => (entry.words.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1)
  return found.sort((one, other) => rank(one) - rank(other)).slice(0, MOST_SHOWN)
}

/**
 * Which of them Enter means; -1 for none. By name, because the list follows what happens: an order that has moved up to
 * the place of another one is not given. Without a letter or an arrow nothing is meant.
 */
export function meant(found: readonly Findable[], chosen: string | undefined, text: string): number {
  if (chosen !== undefined) return found.findIndex(({ id }) => id === chosen)
  return text.trim() === '' || found.length === 0 ? -1 : 0
}
