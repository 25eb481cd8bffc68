// Owns typing one prompt into a TUI: it is pasted, compared with what the box shows, and then sent by a separate Enter.
// Each call does one step. The pane itself remembers the steps, so that they go on after a crash of the daemon. A prompt
// is pasted again only when it is certain that it was not sent.

import type { KeptBack } from '../../domain/conversation/kept-back.ts'
import { nameOfShown } from '../../domain/text/drawn-text.ts'
import type { Keys } from '../../ports/run/agent-driver.ts'
import { isAtRest, type ScreenReading } from '../../ports/run/screen.ts'
import type { PaneView, Terminal } from '../../ports/run/terminal.ts'
import { type BoxLook, type BoxSeen, UNSENT_MS } from './box-seen.ts'
import { type Now, personTypes } from './quiet.ts'
import { tagOf, tryOf } from './tries.ts'

export type Target = { readonly task: string; readonly mark: string }
export type Looked = BoxLook & {
  readonly box: BoxSeen
  readonly now: Now
  /** The box holds a prompt of ours that was said before: its turn was stopped, and the agent gave it back. */
  readonly isGivenBack: boolean
}
export type Prompt = { readonly number: number; readonly text: string }
export type Means = {
  readonly terminal: Pick<Terminal, 'paste' | 'press' | 'clear'>
  readonly clear: Keys['clear']
  readonly quietMs: number
  /** Stores that Enter is about to be pressed: the terminal may die with the answer. */
  readonly beforeEnter: () => Promise<unknown>
}

/** Longer than any TUI takes to draw what was typed. */
export const DRAWN_MS = 2000
const MOST_PATIENCE_MS = 600_000
/** Time for a dialog that a paste brings up: our Enter would answer it. */
const STEADY_MS = 150

/** `said`: Enter was pressed, now or before. Otherwise: why not yet; another look is needed. */
export async function typePrompt(
  prompt: Prompt,
  target: Target,
  look: Looked,
  means: Means,
): Promise<'said' | KeptBack> {
  const step = stepOf(prompt, look, means.quietMs)
  return typeof step === 'string' ? doStep(step, prompt, target, look, means) : step
}

type Step = 'said' | 'paste' | 'enter' | 'clear' | 'take_back'

/** The tag for emptying the box of a prompt that was given back, before this input is pasted. */
const takenBackTag = (number: number) => `g${number}`

/** Pure. What is to be done now, or why nothing can be done. */
export function stepOf({ number }: Pick<Prompt, 'number'>, look: Looked, quietMs: number): Step | KeptBack {
  const { view, reading, drawn, box, now } = look
  const { draft } = reading
  const hindrance = hindranceIn(view, reading) ?? personTypes(view, box, quietMs, now)
  const tried = tryOf(view.pasted, number)
  if (tried === 0 && draft !== null && hindrance === undefined)
    return look.isGivenBack && view.cleared !== takenBackTag(number)
      ? 'take_back'
      : { kind: 'draft', text: draft }
  if (tried === 0) return hindrance ?? 'paste'
  const tag = tagOf(number, tried)
  const isEntered = view.pressed === tag
  if (isEntered ? !box.unsent : isSentByAnother(look)) return 'said'
  if (hindrance !== undefined) return hindrance
  if (isEntered) return draft === null ? 'paste' : { kind: 'draft', text: draft }
  const stoodMs = now.mono - box.since
  if (drawn === 'whole') return stoodMs >= STEADY_MS ? 'enter' : { kind: 'being_typed' }
  if (stoodMs < DRAWN_MS) return { kind: 'being_typed' }
  const mayTry = stoodMs >= patienceMs(tried)
  const isCleared = view.cleared === tag
  if (draft === null && mayTry && (isCleared || wasTakenOut(look))) return 'paste'
  if (draft === null) return mayTry && wasSwallowed(look) ? 'clear' : { kind: 'not_drawn' }
  // The box has not changed for a while. It may be emptied if it holds only our text.
  return box.isOurs && mayTry && !isCleared ? 'clear' : { kind: 'differs', shown: draft }
}

/** Only the input box of an agent at rest takes a prompt: Enter in a dialog would approve something. */
function hindranceIn(view: PaneView, reading: ScreenReading): KeptBack | undefined {
  const { phase, evidence } = reading
  if (view.dead) return { kind: 'no_terminal', why: 'pane_gone' }
  if (view.inMode) return { kind: 'history' }
  if (phase === 'working') return { kind: 'at_work' }
  if (phase === 'asking') return { kind: 'dialog' }
  if (phase === 'starting') return { kind: 'starting' }
  return isAtRest(reading) ? undefined : { kind: 'screen_unclear', shown: evidence }
}

/** The wait before the next try is twice as long after each try. */
const patienceMs = (tried: number) => Math.min(DRAWN_MS * 2 ** (tried - 1), MOST_PATIENCE_MS)

/** Somebody else pressed Enter: the box is empty, and our text is the new prompt above it. */
const isSentByAnother = ({ reading: { draft }, isSaid, lastPrompt, view }: Looked) =>
  draft === null && isSaid && nameOfShown(lastPrompt) !== view.note

/** Our text was seen in the box, is gone and was not sent: the last prompt is the one from before, or another text. */
const wasTakenOut = (look: Looked) =>
  look.box.wasDrawn && (look.box.untouched || (look.lastPrompt !== null && !look.isSaid))

/**
 * Our text was never seen in the box, and was not sent. The box is emptied, in case the text comes late, before the
 * next try.
 */
const wasSwallowed = (look: Looked) =>
  !look.box.wasDrawn && look.box.untouched && look.now.mono - look.box.since >= UNSENT_MS

async function doStep(
  step: Step,
  { number, text }: Prompt,
  { task, mark }: Target,
  { view, reading, lastPrompt }: Looked,
  { terminal, clear, beforeEnter }: Means,
): Promise<'said' | KeptBack> {
  const seen = { stir: view.stir, cursor: view.cursor }
  const tried = tryOf(view.pasted, number)
  const tag = tagOf(number, tried)
  if (step === 'said') return 'said'
  const note = nameOfShown(lastPrompt)
  if (step === 'paste') await terminal.paste(task, mark, tagOf(number, tried + 1), text, { ...seen, note })
  if (step === 'clear') await terminal.clear(task, mark, tag, clear(reading.draft ?? ''), seen)
  if (step === 'take_back')
    await terminal.clear(task, mark, takenBackTag(number), clear(reading.draft ?? ''), seen)
  if (step !== 'enter') return { kind: 'being_typed' }
  await beforeEnter()
  const typed = await terminal.press(task, mark, tag, ['Enter'], seen)
  return typed === 'refused' ? { kind: 'being_typed' } : 'said'
}
