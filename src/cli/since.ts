import { HoldfastError } from '../domain/errors.ts'
import { printable } from '../domain/names/names.ts'
import { parseDuration } from '../domain/text/duration.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/

/**
 * The time as ISO 8601, from `2h` (that long ago), a date, or a date with a time; without a zone, local time. `option`: where it
 * was given, such as `--since`.
 */
export function sinceTime(option: string, text: string, now: number): string {
  const at = DATE.test(text)
    ? new Date(`${text}T00:00:00`)
    : new Date(DATE_AND_TIME.test(text) ? text.replace(' ', 'T') : now - agoMs(option, text))
  if (Number.isNaN(at.getTime())) throw notATime(option, text)
  return at.toISOString()
}

function agoMs(option: string, text: string): number {
  try {
    return parseDuration(text) ?? Number.NaN
  } catch {
    throw notATime(option, text)
  }
}

const notATime = (option: string, text: string) =>
  new HoldfastError(
    'USAGE',
    `Option ${option}: '${printable(text)}' is neither a duration (2h, 3d) nor a date (2025-11-18, 2025-11-18T15:30).`,
  )
