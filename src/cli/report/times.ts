// Owns how times are shown in a report. Its reader may be in another time zone than the daemon: times are in UTC.

export const msOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso))

/** `2025-11-18 15:30:42`, in UTC. */
export const clockOf = (iso: string | null): string =>
  iso === null ? '—' : iso.replace('T', ' ').replace(/(\.\d+)?Z$/, '')

export function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3600) % 24, (seconds / 60) % 60].map(
    Math.floor,
  )
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes, 'min'],
    [seconds % 60, 's'],
  ] as const
  const shown = parts.filter(([count]) => count).map(([count, unit]) => `${count} ${unit}`)
  return shown.slice(0, 2).join(' ')
}

export function bytesOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`
}
