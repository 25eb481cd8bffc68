// Owns the envelope in which an agent gets a trigger: a first line that names it, the text, and a last line. Pure.
import type { TriggerId } from '../names/ids.ts'

export type Envelope = {
  readonly id: TriggerId
  readonly thread: string | null
  readonly reason: string | null
}

const END = '[/BRIDGE_TRIGGER]'
/** What could pass for the first or the last line of an envelope. */
const MARK = /\[(?=\s*(?:\/\s*)?BRIDGE_TRIGGER)/gi

/** The text cannot end its envelope: marks in it are quoted, so that a reader sees them and is not led astray. */
export function inEnvelope(text: string, { id, thread, reason }: Envelope): string {
  const facts = [
    `id=${id}`,
    thread === null ? '' : `thread=${thread}`,
    reason === null ? '' : `reason=${reason}`,
  ]
  return `[BRIDGE_TRIGGER ${facts.filter((fact) => fact !== '').join(' ')}]\n${withMarksQuoted(text)}\n${END}`
}

export const withMarksQuoted = (text: string) => text.replace(MARK, '[quoted: ')

export const hasMarks = (text: string) => withMarksQuoted(text) !== text
