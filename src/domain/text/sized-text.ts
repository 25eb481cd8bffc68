// Owns how long a text is for those who take only so much of it, and how it is cut. A letter is never cut in two.

/** `units`: as strings of this language count. `bytes`: of UTF-8. */
export type Counting = 'letters' | 'units' | 'bytes'

export const sizeOf: Readonly<Record<Counting, (text: string) => number>> = {
  letters: (text) => [...text].length,
  units: (text) => text.length,
  bytes: (text) => new TextEncoder().encode(text).length,
}

/** With a sign that something is missing, when it is. */
export function cutTo(text: string, most: number, counting: Counting): string {
  if (sizeOf[counting](text) <= most) return text
  return `${begins[counting](text, Math.max(0, most - sizeOf[counting](CUT)))}${CUT}`
}

const CUT = '…'

const begins: Readonly<Record<Counting, (text: string, most: number) => string>> = {
  letters: (text, most) => [...text].slice(0, most).join(''),
  units: (text, most) => text.slice(0, most).replace(/[\ud800-\udbff]$/, ''),
  bytes: (text, most) =>
    new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, most), { stream: true }),
}
