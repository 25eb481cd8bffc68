// Owns durations as people write and read them.
import { HoldfastError } from '../errors.ts'
import { printable } from '../names/names.ts'

const UNITS_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
type Unit = keyof typeof UNITS_MS
const isUnit = (word: string | undefined): word is Unit => word !== undefined && Object.hasOwn(UNITS_MS, word)

/** In ms. Takes `500ms`, `90s`, `30m`, `2h`, `1d`, `1h30m`. `bare`: the unit of a number without one. `none` becomes null. */
export function parseDuration(text: string, bare: 's' | 'm' = 's'): number | null {
  const asked = text.trim().toLowerCase()
  if (asked === 'none') return null
  if (/^\d+(\.\d+)?$/.test(asked)) return Math.round(Number(asked) * UNITS_MS[bare])
  let [ms, read] = [0, '']
  for (const [whole, count, unit] of asked.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy)) {
    if (!isUnit(unit)) break
    ms += Number(count) * UNITS_MS[unit]
    read += whole
  }
  if (read === '' || read !== asked)
    throw new HoldfastError('USAGE', `'${printable(text)}' is not a duration; write 90s, 30m, 2h or none.`)
  return Math.round(ms)
}

/** For a value from YAML, which may be a number. */
export const durationOf = (raw: unknown) =>
  parseDuration(typeof raw === 'number' || typeof raw === 'string' ? String(raw) : '')

/** A text with one unit, which `parseDuration` can read. */
export function durationText(ms: number | null): string {
  if (ms === null) return 'none'
  const [unit, size] = Object.entries(UNITS_MS).findLast(([, size]) => ms >= size && ms % size === 0) ?? [
    'ms',
    1,
  ]
  return `${ms / size}${unit}`
}
