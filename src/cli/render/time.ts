/** `8s`, `5m 32s`, `2h 5m`, `3d 4h`: the two largest units. */
export function elapsed(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds))
  const [days, hours, minutes] = [
    Math.floor(total / 86_400),
    Math.floor(total / 3600) % 24,
    Math.floor(total / 60) % 60,
  ]
  if (days > 0) return `${days}d ${hours}h`
  if (hours > 0) return `${hours}h ${minutes}m`
  return minutes > 0 ? `${minutes}m ${total % 60}s` : `${total}s`
}

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
