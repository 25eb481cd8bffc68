export { elapsed } from '../../../domain/text/elapsed.ts'

/** `2025-11-18 15:30` in local time; `-` for null. Cached by minute: many tasks share one, and time zones take time. */
export function localMinute(iso: string | null): string {
  const minute = iso?.slice(0, 16) ?? ''
  const known = minutes.get(minute)
  if (known !== undefined) return known
  const text = localSecond(iso).slice(0, 16)
  minutes.set(minute, text)
  return text
}
const minutes = new Map<string, string>()

/** `2025-11-18 15:30:42` in local time. */
export function localSecond(iso: string | null): string {
  if (iso === null) return '-'
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return '?'
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
const two = (n: number) => String(n).padStart(2, '0')
