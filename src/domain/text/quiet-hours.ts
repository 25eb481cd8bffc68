/** `22:00-07:00` may pass midnight. The end belongs to the day again. */
export function isQuiet(hours: string | null, minuteOfDay: number): boolean {
  if (hours === null) return false
  const [from, to] = hours.split('-').map(minutesOf) as [number, number]
  return from <= to ? minuteOfDay >= from && minuteOfDay < to : minuteOfDay >= from || minuteOfDay < to
}

const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
