// Owns the words in which an agent gets an input, and what of the sender's text they leave out or change. Pure.
import type { Input } from '../task/input.ts'
import { hasMarks, inEnvelope } from '../trigger/envelope.ts'
import { spokenText, withoutControls } from './spoken-text.ts'

export type Said = Pick<Input, 'text' | 'triggerId' | 'thread' | 'reason' | 'framed'>

/** In its envelope where it is framed. There, nothing can be taken for a command: only control characters go. */
export function wordsOf({ text, triggerId, thread, reason, framed }: Said): string {
  if (framed !== 1 || triggerId === null) return spokenText(text)
  return inEnvelope(withoutControls(text), { id: triggerId, thread, reason })
}

export type Sanitised =
  | 'control_characters'
  | 'line_ends'
  | 'envelope_marks'
  | 'blank_edges'
  | 'leading_command'
  | 'trailing_mention'

/** What of a text its agent does not get as it was sent. */
export function sanitisedIn({ text, framed }: Pick<Input, 'text' | 'framed'>): Sanitised[] {
  const clean = withoutControls(text)
  const lines = text.replace(/\r\n?/g, '\n')
  const removed: Sanitised[] = [
    ...(clean === lines ? [] : (['control_characters'] as const)),
    ...(lines === text ? [] : (['line_ends'] as const)),
  ]
  if (framed === 1) return hasMarks(clean) ? [...removed, 'envelope_marks'] : removed
  const spoken = spokenText(text)
  const trimmed = clean.trim()
  return [
    ...removed,
    ...(trimmed === clean ? [] : (['blank_edges'] as const)),
    ...(spoken.startsWith(trimmed.slice(0, 1)) ? [] : (['leading_command'] as const)),
    ...(spoken.endsWith(trimmed.slice(-1)) ? [] : (['trailing_mention'] as const)),
  ]
}
