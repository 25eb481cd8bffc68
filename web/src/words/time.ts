// Owns times and amounts in words. Pure: now comes from the daemon's clock.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `42 s`, `18 min`, `1 h 12 min`, `3 d`. */
export function span(ms: number): string {
  const whole = Math.max(0, ms)
  if (whole < MINUTE) return `${Math.floor(whole / 1000)} s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`
  if (whole < DAY) {
    const minutes = Math.floor((whole % HOUR) / MINUTE)
    return `${Math.floor(whole / HOUR)} h${minutes === 0 ? '' : ` ${minutes} min`}`
  }
  const hours = Math.floor((whole % DAY) / HOUR)
  return `${Math.floor(whole / DAY)} d${hours === 0 || whole >= 7 * DAY ? '' : ` ${hours} h`}`
}

/** `2 min ago`; `just now` within five seconds, also when it seems to lie ahead. */
export const ago = (at: number, now: number) => (now - at < 5000 ? 'just now' : `${span(now - at)} ago`)

/** `14:03`, on another day than now `Nov 16, 14:03`, in another year `Nov 16, 2025, 14:03`. In the reader's time zone. */
export function clockTime(at: number, now: number, seconds = false): string {
  const time = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
  }).format(at)
  return isSameDay(at, now) ? time : `${dayOf(at, now)}, ${time}`
}

/** `Nov 16`, in another year than now `Nov 16, 2025`. */
export function dayOf(at: number, now: number): string {
  const isSameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const year = isSameYear ? {} : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...year }).format(at)
}

export const isSameDay = (one: number, other: number) =>
  new Date(one).toDateString() === new Date(other).toDateString()

/** When the day of a time began, in the reader's time zone. Not always at midnight: clocks are set forward then, too. */
export const dayStart = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** `at 15:00, in 42 min`; `at any moment` when the time is over. */
export const until = (at: number, now: number) =>
  at <= now ? 'at any moment' : `at ${clockTime(at, now)}, in ${span(at - now)}`

const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g

/** Times that agents and machines write into their sentences, as people read them: in the reader's time zone. */
export const withReadableTimes = (text: string, now: number): string =>
  text.replace(ISO_TIME, (iso) => clockTime(Date.parse(iso), now))

export const timeOf = (iso: string): number => Date.parse(iso)
export const timeOrNull = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso))

/** `$0.42`; nothing for nothing. */
export const money = (usd: number) => (usd === 0 ? '' : usd < 0.01 ? '< $0.01' : `$${usd.toFixed(2)}`)

/** `950`, `48 k`, `3.1 M`. */
export function amount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 1_000_000) return `${short(count / 1000)} k`
  return `${short(count / 1_000_000)} M`
}
const short = (value: number) =>
  value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value))

/** `512 B`, `1.4 KB`, `100 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`
  if (count < 1_000_000) return `${short(count / 1000)} KB`
  if (count < 1_000_000_000) return `${short(count / 1_000_000)} MB`
  return `${short(count / 1_000_000_000)} GB`
}
