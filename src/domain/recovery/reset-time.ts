// Owns finding out from an agent's words when a limit is over: `7:41 PM`, `resets 3pm (Europe/Berlin)`, `in 2h 5m`, an ISO
// date or an epoch time. Pure.

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** A daemon that was down reads the words late. So a time of day that passed less than this ago is not tomorrow's. */
const READ_LATE_MS = 6 * HOUR_MS
const MOST_WORDS = 1000

/** Epoch ms, perhaps in the past; null when the words name no time. `zone`: the agent's time zone, if not the daemon's. */
export function resetTime(words: string, nowMs: number, zone?: string): number | null {
  const text = words.slice(0, MOST_WORDS)
  const found =
    instantIn(text) ??
    epochIn(text) ??
    afterNamedWait(text, nowMs) ??
    wallClock(text, nowMs, zone) ??
    afterWaits(text, nowMs)
  return found !== undefined && Number.isSafeInteger(found) ? found : null
}

function instantIn(text: string): number | undefined {
  const iso = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)/.exec(text)?.[0]
  const instant = Date.parse(iso ?? '')
  return Number.isNaN(instant) ? undefined : instant
}

/** Finds an epoch time in seconds (10 digits) or milliseconds (13 digits). */
function epochIn(text: string): number | undefined {
  const digits = /(?<![\d.])(?:\d{10}|\d{13})(?![\d.])/.exec(text)?.[0]
  if (digits === undefined) return undefined
  return Number(digits) * (digits.length === 10 ? SECOND_MS : 1)
}

const WAIT = String.raw`(\d{1,6}(?:\.\d{1,3})?) ?(d(?:ays?)?|h(?:(?:ou)?rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])`
const ANY_WAIT = new RegExp(WAIT, 'gi')
const WAIT_BEGINS = /\b(?:in|after|wait) (?:~|about )?(?=\d)/i
const NEXT_WAIT = new RegExp(`(?:, ?| and | )?${WAIT}`, 'giy')
const UNITS_MS = new Map([
  ['d', 24 * HOUR_MS],
  ['h', HOUR_MS],
  ['m', MINUTE_MS],
  ['s', SECOND_MS],
])

/** A wait such as `in 2h 5m`. It counts before a time of day, which may be the time of a log line. */
function afterNamedWait(text: string, nowMs: number): number | undefined {
  const begin = WAIT_BEGINS.exec(text)
  return begin === null
    ? undefined
    : afterAll(text.slice(begin.index + begin[0].length).matchAll(NEXT_WAIT), nowMs)
}

/** A duration alone may also be the limit's name, as in `5h limit reached`. So it counts only when there is no time of day. */
const afterWaits = (text: string, nowMs: number) => afterAll(text.matchAll(ANY_WAIT), nowMs)

function afterAll(waits: Iterable<RegExpMatchArray>, nowMs: number): number | undefined {
  const parts = [...waits].flatMap(([, count, unit]) => {
    const unitMs = unit && UNITS_MS.get(unit.charAt(0).toLowerCase())
    return unitMs ? [Number(count) * unitMs] : []
  })
  return parts.length === 0 ? undefined : Math.round(nowMs + parts.reduce((sum, ms) => sum + ms, 0))
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DATE = `(?<month>${MONTHS.join('|')})[a-z]*\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\\d{4}))?,? (?:at )?`
const CLOCK = '(?<hour>\\d{1,2})(?::(?<minute>\\d\\d))?(?: ?(?<half>[ap])\\.?m\\b)?'
const ZONE = '(?:\\.? ?\\((?<zone>[A-Za-z][\\w+-]*(?:/[\\w+-]+)*)\\))?'
const WALL = new RegExp(`(?<![\\d:])(?:${DATE})?${CLOCK}${ZONE}`, 'gi')

type Day = { readonly year: number; readonly month: number; readonly day: number }
type Time = { readonly hour: number; readonly minute: number }

/** A number is a time only with minutes, or with am or pm. Returns the end of the named minute: then the limit is over. */
function wallClock(text: string, nowMs: number, here: string | undefined): number | undefined {
  const found = [...text.matchAll(WALL)].find(({ groups = {} }) => groups.minute ?? groups.half)?.groups
  const time = found && timeOf(found)
  if (!time) return undefined
  const zone = found.zone ?? here
  if (!isZone(zone)) return undefined
  const { month } = found
  const minute =
    month === undefined ? onNextDay(time, nowMs, zone) : onDate({ ...found, month }, time, nowMs, zone)
  return minute + MINUTE_MS
}

function timeOf({ hour, minute = '0', half }: Record<string, string | undefined>): Time | undefined {
  const told = { hour: Number(hour), minute: Number(minute) }
  const isTime = told.minute < 60 && (half === undefined ? told.hour < 24 : told.hour >= 1 && told.hour <= 12)
  if (!isTime) return undefined
  return half === undefined
    ? told
    : { ...told, hour: (told.hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) }
}

function onNextDay(time: Time, nowMs: number, zone: string | undefined): number {
  const today = dayAt(nowMs, zone)
  const inDays = (more: number) => instantOf({ ...today, day: today.day + more }, time, zone)
  return [inDays(-1), inDays(0)].find((at) => at > nowMs - READ_LATE_MS) ?? inDays(1)
}

/** A date without a year is taken in the year in which it is nearest to now. */
function onDate(
  { year, month, day }: Record<string, string | undefined> & { readonly month: string },
  time: Time,
  nowMs: number,
  zone: string | undefined,
): number {
  const date = { month: MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1, day: Number(day) }
  const thisYear = dayAt(nowMs, zone).year
  const years = year === undefined ? [thisYear - 1, thisYear, thisYear + 1] : [Number(year)]
  const instants = years.map((one) => instantOf({ ...date, year: one }, time, zone))
  return instants.reduce((a, b) => (Math.abs(a - nowMs) <= Math.abs(b - nowMs) ? a : b))
}

function isZone(zone: string | undefined): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

/** The offset is taken twice: the first guess may be on the other side of a change to or from summer time. */
function instantOf({ year, month, day }: Day, { hour, minute }: Time, zone: string | undefined): number {
  const asUtc = Date.UTC(year, month - 1, day, hour, minute)
  const guess = asUtc - offsetAt(asUtc, zone)
  return asUtc - offsetAt(guess, zone)
}

const dayAt = (ms: number, zone: string | undefined): Day => {
  const shown = new Date(ms + offsetAt(ms, zone))
  return { year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate() }
}

/** Milliseconds by which the zone's clocks are ahead of UTC. */
function offsetAt(ms: number, zone: string | undefined): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return shown - Math.floor(ms / SECOND_MS) * SECOND_MS
}
