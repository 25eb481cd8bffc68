// Owns what is remembered of an agent's box from one look to the next, while something waits to be typed into it. Pure.
import { type Drawn, nameOfShown } from '../../domain/text/drawn-text.ts'
import type { ScreenPhase, ScreenReading } from '../../ports/run/screen.ts'
import type { PaneView } from '../../ports/run/terminal.ts'

export type BoxSeen = {
  /** The tag of the last paste into the box. */
  readonly pasted: string
  readonly draft: string | null
  readonly phase: ScreenPhase
  /** Monotonic ms since which `pasted`, `draft` and `phase` have not changed. */
  readonly since: number
  /**
   * Monotonic ms of the last change in the box that we did not make; null when there was none. Of keys that a program
   * sends, there is no other sign.
   */
  readonly changedAt: number | null
  readonly stir: string
  /** Monotonic ms since which `stir` has not changed. */
  readonly stirSince: number
  /** The pasted text, or a large part of it, was seen in the box. */
  readonly wasDrawn: boolean
  /** The box holds nothing but text that we pasted. */
  readonly isOurs: boolean
  /** The agent was seen at work since the paste. */
  readonly worked: boolean
  /** Nothing was sent since the paste: the last prompt above the box is still the one from before the paste. */
  readonly untouched: boolean
  /** This daemon pasted the text, and has looked at the box ever since. */
  readonly watched: boolean
  /** Nothing on the screen shows that our text was sent: no work, no new prompt above the box. */
  readonly unproven: boolean
  /** We pressed Enter, the text left the box, and for UNSENT_MS nothing came of it: the agent has not got it. */
  readonly unsent: boolean
}

/** Longer than the slowest agent takes to show a prompt that it was sent. */
export const UNSENT_MS = 10_000

/** One look at the box, with what it shows of our text. */
export type BoxLook = {
  readonly view: PaneView
  readonly reading: ScreenReading
  /** Our text was pasted. */
  readonly isPasted: boolean
  /** How much of our text is in the box; null when the box is empty or our text was not pasted. */
  readonly drawn: Drawn | null
  readonly lastPrompt: string | null
  /** The last prompt above the box is our text. */
  readonly isSaid: boolean
}

export function boxAfter(before: BoxSeen | null, look: BoxLook, now: number): BoxSeen {
  const { pasted, stir } = look.view
  const { draft, phase } = look.reading
  const sameTry = before?.pasted === pasted ? before : null
  const isSame = sameTry !== null && sameTry.draft === draft && sameTry.phase === phase
  const since = isSame ? sameTry.since : now
  const watched = sameTry === null ? before !== null : sameTry.watched
  const isFromBefore = look.view.note === nameOfShown(look.lastPrompt)
  const isKnown = look.lastPrompt !== null && !look.isSaid
  // A dialog below the prompt from before may have come by itself, and have taken our Enter.
  const asksByItself = phase === 'asking' && isFromBefore && isKnown
  const worked = sameTry?.worked === true || phase === 'working' || (phase === 'asking' && !asksByItself)
  const unproven = !worked && isFromBefore && isKnown
  const isGone = look.isPasted && look.view.pressed === pasted && draft === null && now - since >= UNSENT_MS
  // A dialog covers the box: what is in it cannot be seen.
  const isCovered = phase === 'asking' || before?.phase === 'asking'
  const hasChanged = before !== null && !isCovered && before.draft !== draft && !isByUs(before, look)
  return {
    pasted,
    draft,
    phase,
    since,
    changedAt: hasChanged ? now : (before?.changedAt ?? null),
    stir,
    stirSince: before?.stir === stir ? before.stirSince : now,
    isOurs: isOurs(sameTry, look),
    wasDrawn: sameTry?.wasDrawn === true || look.drawn === 'whole' || look.drawn === 'maimed',
    worked,
    // No prompt above the box, or our own text there, proves something only if this daemon has looked all the time.
    untouched: !worked && isFromBefore && (watched || isKnown),
    watched,
    unproven,
    unsent: unproven && (isGone || sameTry?.unsent === true),
  }
}

/** A few letters may be anybody's. They count as ours if the box held only our text before and has not become longer. */
function isOurs(before: BoxSeen | null, { reading: { draft }, drawn }: BoxLook): boolean {
  if (drawn === 'whole' || drawn === 'maimed') return true
  return drawn === 'scrap' && before?.isOurs === true && draft!.length <= before.draft!.length
}

/**
 * Whether we changed the box. Our paste may appear in pieces, and a text that we send or take out leaves the box. After a
 * short turn, that may be seen only when the next prompt is already looked for.
 */
function isByUs(before: BoxSeen, { view, reading: { draft }, drawn, isPasted }: BoxLook): boolean {
  const wasOurs = before.isOurs && before.pasted === view.pasted
  if (draft === null) return (isPasted || wasOurs) && [view.pressed, view.cleared].includes(view.pasted)
  return drawn === 'whole' || (drawn === 'maimed' && draft.length > (before.draft?.length ?? 0))
}
