// Owns which parts of an output are held while it grows. Pure.
import type { OutputPart } from './whole-lines.ts'

export const PART_BYTES = 96 * 1024
/** Parts held while following; earlier ones are let go, and can be loaded again. */
const MOST_PARTS = 24

/** Small additions go to the last part, so that a slow trickle makes no thousand parts; so does the rest of a line. */
export function added(known: readonly OutputPart[], more: OutputPart): readonly OutputPart[] {
  const last = known.at(-1)
  if (last === undefined || more.from !== last.next) return [more]
  const both = { text: last.text + more.text, from: last.from, next: more.next }
  const isWithinLine = !last.text.endsWith('\n') && sizeOf(last) < PART_BYTES
  if (isWithinLine || sizeOf(both) <= PART_BYTES) return [...known.slice(0, -1), both]
  return [...known, more].slice(-MOST_PARTS)
}

const sizeOf = ({ from, next }: OutputPart) => next - from
