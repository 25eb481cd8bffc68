// Owns typing one prompt into a TUI: pasted, compared with what is drawn, then sent by Enter alone. Each call is one
// step; what was done stands in the pane itself, so that the steps go on after a crash of the daemon. What was pasted is
// pasted again only when it is certain that it was not sent.

import type { KeptBack } from '../../domain/conversation/kept-back.ts'
import { nameOfShown } from '../../domain/text/drawn-text.ts'
import type { Keys } from '../../ports/agent-driver.ts'
import { isAtRest, type ScreenReading } from '../../ports/screen.ts'
import type { PaneView, Terminal } from '../../ports/terminal.ts'
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
}

/** Longer than any interface takes to draw what was typed. */
export const DRAWN_MS = 2000
const MOST_PATIENCE_MS = 600_000

/** `said`: Enter was pressed, now or before. Otherwise why not; look again. */
export async function typePrompt(
  prompt: Prompt,
  target: Target,
  look: Looked,
  means: Means,
): Promise<'said' | KeptBack> {
  const step = stepOf(prompt, look, means.quietMs)
  return typeof step === 'string' ? take(step, prompt, target, look, means) : step
}

type Step = 'said' | 'paste' | 'enter' | 'clear' | 'take_back'

/** Of taking out what was given back, before this input is pasted. */
const takenBackTag = (number: number) => `g${number}`

/** Pure: what is to be done now, or why nothing can be. */
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
  if (drawn === 'whole') return 'enter'
  const stoodMs = now.mono - box.since
  if (stoodMs < DRAWN_MS) return { kind: 'being_typed' }
  const mayTry = stoodMs >= patienceMs(tried)
  const isCleared = view.cleared === tag
  if (draft === null && mayTry && (isCleared || wasTakenOut(look))) return 'paste'
  if (draft === null) return mayTry && wasSwallowed(look) ? 'clear' : { kind: 'not_drawn' }
  // Whoever maimed it has not touched it for a while. What is only ours may be taken out.
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

/** What goes wrong again and again is tried less and less often. */
const patienceMs = (tried: number) => Math.min(DRAWN_MS * 2 ** (tried - 1), MOST_PATIENCE_MS)

/** It left the box, and stands above it as said. Anything else they may have sent is not ours. */
const isSentByAnother = ({ reading: { draft }, isSaid, lastPrompt, view }: Looked) =>
  draft === null && isSaid && nameOfShown(lastPrompt) !== view.note

/** It was in the box, and is gone. What was said last is what was said before, or something else. */
const wasTakenOut = (look: Looked) =>
  look.box.wasDrawn && (look.box.untouched || (look.lastPrompt !== null && !look.isSaid))

/** Never seen in the box, for long: somebody was quicker than we look. What may still come of it is taken out, then it is tried again. */
const wasSwallowed = (look: Looked) =>
  !look.box.wasDrawn && look.box.untouched && look.now.mono - look.box.since >= UNSENT_MS

async function take(
  step: Step,
  { number, text }: Prompt,
  { task, mark }: Target,
  { view, reading, lastPrompt }: Looked,
  { terminal, clear }: Means,
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
  const typed = await terminal.press(task, mark, tag, ['Enter'], seen)
  return typed === 'refused' ? { kind: 'being_typed' } : 'said'
}
