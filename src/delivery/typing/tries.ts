// Owns the tags of what is typed: one for each time that an input is pasted. Pure.

/** The tag of the `tried`-th paste of an input. The first tag is the input's number alone. */
export const tagOf = (number: number, tried: number) => (tried <= 1 ? `i${number}` : `i${number}-${tried}`)

/** How often this input was pasted, by the tag of the last paste; 0 when that was of another input. */
export function tryOf(tag: string, number: number): number {
  if (tag === tagOf(number, 1)) return 1
  const [, tried] = new RegExp(`^i${number}-(\\d+)$`).exec(tag) ?? []
  return tried === undefined ? 0 : Number(tried)
}
