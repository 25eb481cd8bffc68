import type { NextJson } from '../../protocol/task-json.ts'
import { elapsed, localSecond } from './time.ts'

/** `in 4s (15:30:46): resumes its session`; a day other than today is named. */
export function nextText({ what, at }: NextJson, now: number): string {
  if (at === null) return what
  const left = (Date.parse(at) - now) / 1000
  return left > 0 ? `in ${elapsed(left)} (${localTime(at, now)}): ${what}` : `now: ${what}`
}

/** `15:30:46` today, `2025-11-18 15:30:46` on any other day. */
export function localTime(at: string, now: number): string {
  const text = localSecond(at)
  const today = localSecond(new Date(now).toISOString()).slice(0, 10)
  return text.startsWith(today) ? text.slice(11) : text
}
