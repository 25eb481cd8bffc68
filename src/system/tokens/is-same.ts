import { timingSafeEqual } from 'node:crypto'

/** Compares signatures as texts: two texts may stand for the same bytes, and only one of them was signed. */
export function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
