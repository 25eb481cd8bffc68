// Browsers whose clock is wrong, and browsers elsewhere on earth.
import type { BrowserContext } from 'playwright-core'

/** Pages that are opened from now on believe that it is so many hours later. */
export const setClockOff = (context: BrowserContext, hours: number) =>
  context.addInitScript(`{
    const off = ${hours} * 3_600_000, RealDate = Date
    globalThis.Date = class extends RealDate {
      constructor(...given) { given.length === 0 ? super(RealDate.now() + off) : super(...given) }
      static now() { return RealDate.now() + off }
    }
  }`)

/** A time zone in which it is between 12:00 and 13:00 now: no midnight comes while a test runs. */
export function zoneOfNoon(): string {
  const hours = 12 - new Date().getUTCHours()
  // The sign says how far Greenwich is.
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}
