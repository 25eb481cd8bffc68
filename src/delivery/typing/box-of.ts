// Owns what is looked for in a terminal run's box: the prompt that waits to be typed, or the one that was just sent.

import { wordsOf } from '../../domain/conversation/words-of.ts'
import { beginsTurn, type Input } from '../../domain/task/input.ts'
import type { Question } from '../../domain/task/question.ts'
import { isShown } from '../../domain/text/drawn-text.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import type { ScreenReading } from '../../ports/run/screen.ts'
import type { PaneView } from '../../ports/run/terminal.ts'
import { nextToSay } from '../inputs/next-to-say.ts'
import { openTurn } from '../inputs/said.ts'
import { type BoxLook, type BoxSeen, boxAfter } from './box-seen.ts'
import type { TerminalRecipient } from './terminal-recipient.ts'
import { tryOf } from './tries.ts'

type Shown = {
  readonly view: PaneView
  readonly reading: ScreenReading
  readonly inputs: readonly Input[]
  readonly open: readonly Question[]
}

/**
 * Looks for our prompt in the box, and remembers what was seen for the next look. Undefined when there is no such
 * prompt.
 */
export function boxOf(
  { view, reading, inputs, open }: Shown,
  recipient: TerminalRecipient,
  { keys }: AgentDriver,
  monoNow: number,
): BoxLook | undefined {
  const input = openTurn(inputs, recipient.run.id) ?? nextToSay(inputs, open, recipient)
  if (keys === undefined || input === undefined || !beginsTurn(input)) {
    recipient.box = null
    return undefined
  }
  const text = wordsOf(input)
  const lastPrompt = keys.prompts(view.text).at(-1) ?? null
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

/**
 * `unproven`: the prompt is still in the box, or it is gone and the screen does not show yet that the agent has it.
 * `unsent`: the agent has not got it. `maybe`: the screen does not speak against it.
 */
export type Sent = 'unproven' | 'unsent' | 'maybe'

/**
 * Whether a prompt on which we pressed Enter was sent: it must leave the box, and the screen must show that the agent
 * has it.
 */
export function sentOf(look: BoxLook | undefined, box: BoxSeen | null): Sent {
  if (look === undefined || box === null || !look.isPasted || look.view.pressed !== look.view.pasted)
    return 'maybe'
  if (box.unsent) return 'unsent'
  const isStillThere = look.drawn === 'whole' && !box.worked && !look.isSaid
  return box.unproven || isStillThere ? 'unproven' : 'maybe'
}
