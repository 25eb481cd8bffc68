// Owns what events follow from. Somebody who handles an event may append others, which somebody handles: a limit ends such loops.
import { HoldfastError } from '../errors.ts'
import type { NodeId } from '../names/ids.ts'

/** An event by its node and number: the one that was being handled. */
export type EventCause = { readonly nodeId: NodeId; readonly seq: number }

/** `depth`: how many events led to this one, each handled by a durable subscriber. 0 for what people, agents and Holdfast do by themselves. */
export type Caused = { readonly cause: EventCause | null; readonly depth: number }

/** The event that is being handled, for the events that are appended for it. */
export type HandledEvent = EventCause & { readonly depth: number }

export const DEEPEST = 16

/** EVENT_LOOP when events have led to events more often than anything here needs. */
export function causedBy(handled: HandledEvent | undefined): Caused {
  if (handled === undefined) return { cause: null, depth: 0 }
  const { nodeId, seq, depth } = handled
  if (depth >= DEEPEST)
    throw new HoldfastError(
      'EVENT_LOOP',
      `Event ${seq} is at the end of ${DEEPEST} that led to each other: nothing more may follow from it.`,
    )
  return { cause: { nodeId, seq }, depth: depth + 1 }
}

/** The cause of the notice that an event was set aside. People get this notice also of the deepest event: nothing else follows from a notice. */
export const causeOfNotice = ({ nodeId, seq, depth }: HandledEvent): HandledEvent => ({
  nodeId,
  seq,
  depth: Math.min(depth, DEEPEST - 1),
})
