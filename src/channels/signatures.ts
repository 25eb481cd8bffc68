// Owns how requests are signed and checked.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { HoldfastError } from '../domain/errors.ts'

/** How far the clock of the other side may be off. */
const WINDOW_MS = 5 * 60_000

export const hmac = (key: string | Uint8Array, text: string) => createHmac('sha256', key).update(text)

export function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** `seconds`: when the request says it was made. An old one may be a copy. */
export function checkFresh(seconds: string | undefined, now: number): string {
  const at = Number(seconds) * 1000
  if (seconds === undefined || !/^\d{1,12}$/.test(seconds) || Math.abs(now - at) > WINDOW_MS)
    throw refused('it has no timestamp, or one that is more than five minutes off')
  return seconds
}

export const refused = (why: string) =>
  new HoldfastError('INBOUND_REFUSED', `The request is refused: ${why}.`)
