// Owns what is looked for in a terminal run's box: the prompt that waits to be typed, or the one that was just sent.

import { wordsOf } from '../../domain/conversation/words-of.ts'
import type { Input, Question } from '../../domain/task/task.ts'
import { isShown } from '../../domain/text/drawn-text.ts'
import type { AgentDriver } from '../../ports/agent-driver.ts'
import type { ScreenReading } from '../../ports/screen.ts'
import type { PaneView } from '../../ports/terminal.ts'
import { nextToSay } from '../inputs/next-to-say.ts'
import { isPrompt, openTurn } from '../inputs/said.ts'
import { type BoxLook, type BoxSeen, boxAfter } from './box-seen.ts'
import type { TerminalRecipient } from './terminal-recipient.ts'
import { tryOf } from './tries.ts'

type Shown = {
  readonly view: PaneView
  readonly reading: ScreenReading
  readonly inputs: readonly Input[]
  readonly open: readonly Question[]
}

/** The look at the box, remembered for the next one; undefined when there is nothing of ours to look for. */
export function boxOf(
  { view, reading, inputs, open }: Shown,
  recipient: TerminalRecipient,
  { keys }: AgentDriver,
  monoNow: number,
): BoxLook | undefined {
  const input = openTurn(inputs, recipient.run.id) ?? nextToSay(inputs, open, recipient)
  if (keys === undefined || input === undefined || !isPrompt(input)) {
    recipient.box = null
    return undefined
  }
  const text = wordsOf(input)
  const lastPrompt = keys.lastPrompt(view.text)
  const isPasted = tryOf(view.pasted, input.number) > 0
  const look: BoxLook = {
    view,
    reading,
    isPasted,
    drawn: isPasted && reading.draft !== null ? keys.drawn(reading.draft, text) : null,
    lastPrompt,
    isSaid: lastPrompt !== null && isShown(lastPrompt, text),
  }
  recipient.box = boxAfter(recipient.box, look, monoNow)
  return look
}

/** `unproven`: still in the box, or gone and nothing came of it yet. `unsent`: nothing will come of it. */
export type Sent = 'unproven' | 'unsent' | 'maybe'

/** Of a prompt on which we pressed Enter: it must leave the box, and the agent must be seen to have it. */
export function sentOf(look: BoxLook | undefined, box: BoxSeen | null): Sent {
  if (look === undefined || box === null || !look.isPasted || look.view.pressed !== look.view.pasted)
    return 'maybe'
  if (box.unsent) return 'unsent'
  const isStillThere = look.drawn === 'whole' && !box.worked && !look.isSaid
  return box.unproven || isStillThere ? 'unproven' : 'maybe'
}
