export { elapsed } from '../../domain/text/elapsed.ts'

/** `2025-11-18 15:30` in the reader's zone; `-` for never. Tasks share minutes, and zones are slow to work out. */
export function localMinute(iso: string | null): string {
  const minute = iso?.slice(0, 16) ?? ''
  const known = minutes.get(minute)
  if (known !== undefined) return known
  const text = localSecond(iso).slice(0, 16)
  minutes.set(minute, text)
  return text
}
const minutes = new Map<string, string>()

/** `2025-11-18 15:30:42` in the reader's zone. */
export function localSecond(iso: string | null): string {
  if (iso === null) return '-'
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return '?'
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
const two = (n: number) => String(n).padStart(2, '0')
