// Owns what time it is for the daemon. Ages and "until" go by this clock: the browser's own may be off by hours.

/** Server time minus the page's monotonic time, in ms; undefined before the first answer. */
let offset: number | undefined

/** The `Date` header of an answer has whole seconds: the answer was made within the second that it names. */
const HALF_A_SECOND_MS = 500

export function hearTime(header: string | null): void {
  const at = header === null ? Number.NaN : Date.parse(header)
  if (Number.isNaN(at)) return
  const heard = at + HALF_A_SECOND_MS - performance.now()
  // Answers differ by their whole seconds; only a larger step means that a clock was set or that the machine slept.
  if (offset === undefined || Math.abs(heard - offset) > 2 * HALF_A_SECOND_MS) offset = heard
}

/** Epoch ms by the daemon's clock; undefined before the daemon has said anything. */
export const serverNow = (): number | undefined =>
  offset === undefined ? undefined : performance.now() + offset
