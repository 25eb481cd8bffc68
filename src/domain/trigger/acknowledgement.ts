// Owns how an agent acknowledges a trigger, and which sign is worth more. Pure.
import type { TriggerId } from '../names/ids.ts'

/** Strongest first: its own word for this trigger, its reading on, a sign of life in the turn, a line that it printed. */
const ACK_WAYS = ['ack_trigger', 'cursor', 'heartbeat', 'marker'] as const
export type AckWay = (typeof ACK_WAYS)[number]

export const isStronger = (way: AckWay, than: AckWay | null) =>
  than === null || ACK_WAYS.indexOf(way) < ACK_WAYS.indexOf(than)

/** What an agent prints to acknowledge a trigger. */
export const markerOf = (id: TriggerId) => `ACK_TRIGGER:${id}`

/** A longer number is another trigger. */
export const hasMarker = (text: string, id: TriggerId) => new RegExp(`${markerOf(id)}(?!\\d)`).test(text)
