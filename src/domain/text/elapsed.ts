/** A time for people, in its two largest units: `8s`, `5m 32s`, `2h 5m`, `3d 4h`. */
export function elapsed(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds))
  const minutes = Math.floor(total / 60)
  if (minutes === 0) return `${total}s`
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes}m ${total % 60}s`
  const days = Math.floor(hours / 24)
  return days === 0 ? `${hours}h ${minutes % 60}m` : `${days}d ${hours % 24}h`
}
