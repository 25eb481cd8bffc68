/** `hours` such as `22:00-07:00` may go over midnight. The last minute is not part of them: at 07:00 it is no longer quiet. */
export function isQuiet(hours: string | null, minuteOfDay: number): boolean {
  if (hours === null) return false
  const [from, to] = hours.split('-').map(minutesOf) as [number, number]
  return from <= to ? minuteOfDay >= from && minuteOfDay < to : minuteOfDay >= from || minuteOfDay < to
}

const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
