// Owns what is remembered of an agent's box from one look to the next, while something waits to be typed into it. Pure.
import { type Drawn, nameOfShown } from '../../domain/text/drawn-text.ts'
import type { ScreenPhase, ScreenReading } from '../../ports/screen.ts'
import type { PaneView } from '../../ports/terminal.ts'

export type BoxSeen = {
  /** The tag of what was last pasted there. */
  readonly pasted: string
  readonly draft: string | null
  readonly phase: ScreenPhase
  /** Monotonic: since when these three are as they are. */
  readonly since: number
  /** Monotonic: when a text that is not ours last changed there; null when none did. Keys may come from a program, of which nothing else tells. */
  readonly changedAt: number | null
  readonly stir: string
  readonly stirSince: number
  /** What was pasted was seen in the box. */
  readonly wasDrawn: boolean
  /** What is in the box is of what was pasted there, and nothing else. */
  readonly isOurs: boolean
  /** The agent was seen at work since the paste. */
  readonly worked: boolean
  /** Nothing was said since the paste: the last prompt above the box is the one from before it. */
  readonly untouched: boolean
  /** This daemon pasted it, and has looked ever since. */
  readonly watched: boolean
  /** Nothing that is to be seen says that ours was sent: no work, no new prompt above the box. */
  readonly unproven: boolean
  /** Sent by us, gone from the box, and for a long while nothing came of it: the agent has not got it. */
  readonly unsent: boolean
}

/** Longer than the slowest agent takes to show what it was sent. */
export const UNSENT_MS = 10_000

/** One look, with what it shows of ours. */
export type BoxLook = {
  readonly view: PaneView
  readonly reading: ScreenReading
  /** The text in question was pasted already. */
  readonly isPasted: boolean
  /** What the box holds of it; null when it is empty, or nothing was pasted. */
  readonly drawn: Drawn | null
  readonly lastPrompt: string | null
  /** The last prompt is this text. */
  readonly isSaid: boolean
}

export function boxAfter(before: BoxSeen | null, look: BoxLook, now: number): BoxSeen {
  const { pasted, stir } = look.view
  const { draft, phase } = look.reading
  const sameTry = before?.pasted === pasted ? before : null
  const isSame = sameTry !== null && sameTry.draft === draft && sameTry.phase === phase
  const since = isSame ? sameTry.since : now
  const worked = sameTry?.worked === true || phase === 'working' || phase === 'asking'
  const watched = sameTry === null ? before !== null : sameTry.watched
  const isFromBefore = look.view.note === nameOfShown(look.lastPrompt)
  const isKnown = look.lastPrompt !== null && !look.isSaid
  const unproven = !worked && isFromBefore && isKnown
  const isGone = look.isPasted && look.view.pressed === pasted && draft === null && now - since >= UNSENT_MS
  const hasChanged = before !== null && before.draft !== draft && !isByUs(before, look)
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
    // A screen without any prompt, or with the same one twice, proves nothing to who did not see it all the time.
    untouched: !worked && isFromBefore && (watched || isKnown),
    watched,
    unproven,
    unsent: unproven && (isGone || sameTry?.unsent === true),
  }
}

/** A letter alone may be anybody's, unless it is what was left of ours, look by look. */
function isOurs(before: BoxSeen | null, { reading: { draft }, drawn }: BoxLook): boolean {
  if (drawn === 'whole' || drawn === 'maimed') return true
  return drawn === 'scrap' && before?.isOurs === true && draft!.length <= before.draft!.length
}

/** What we paste may be drawn in pieces; what we send or take out leaves the box. */
function isByUs(before: BoxSeen, { view, reading: { draft }, drawn, isPasted }: BoxLook): boolean {
  if (draft === null) return isPasted && [view.pressed, view.cleared].includes(view.pasted)
  return drawn === 'whole' || (drawn === 'maimed' && draft.length > (before.draft?.length ?? 0))
}
