// Owns the words for a prompt that is kept back: the reason, and what a person can do about it. Pure.
import { elapsed } from '../text/elapsed.ts'
import { redactSecrets } from '../text/redact-secrets.ts'
import type { KeptBack, NoTerminal } from './kept-back.ts'

const MOST_SHOWN = 60

const NO_TERMINAL: Readonly<Record<NoTerminal, string>> = {
  tmux_down: 'tmux is not running',
  tmux_hung: 'tmux does not answer',
  pane_gone: 'its terminal is gone',
  closed_to_input: 'its terminal takes no keys',
}

/** `someone is typing in its terminal (14s ago)` */
export function keptText(kept: KeptBack, now: number): string {
  switch (kept.kind) {
    case 'at_work':
      return 'its turn is not over'
    case 'dialog':
      return 'a dialog is open in its terminal'
    case 'history':
      return 'someone is looking through the history of its terminal'
    case 'person_types':
      return `someone is typing in its terminal (${elapsed((now - kept.lastKeyAt) / 1000)} ago)`
    case 'draft':
      return `its input box holds unsent text: ${quoted(kept.text)}`
    case 'being_typed':
      return 'a prompt is being typed'
    case 'not_drawn':
      return 'a prompt was pasted, but the input box does not show it'
    case 'differs':
      return `its input box does not show the pasted prompt, but ${quoted(kept.shown)}`
    case 'screen_unclear':
      return `Holdfast does not understand its screen: ${quoted(kept.shown)}`
    case 'starting':
      return 'its agent is not ready yet'
    case 'no_terminal':
      return NO_TERMINAL[kept.why]
  }
}

/** What a person can do in the agent's terminal, so that the prompt is said; null where nothing helps there. */
const REMEDIES: Readonly<Record<KeptBack['kind'], string | null>> = {
  at_work: null,
  dialog: 'answer the dialog there',
  history: 'leave the history there (q)',
  person_types: 'leave the keys alone for a while',
  draft: 'send or delete that text there',
  being_typed: null,
  not_drawn: 'send the prompt there if it is in the input box',
  differs: 'send or delete that text there',
  screen_unclear: 'bring the input box of the agent back there',
  starting: 'see there what the agent waits for',
  no_terminal: null,
}
export const keptRemedy = (kind: KeptBack['kind']) => REMEDIES[kind]

/** `2 prompts wait: someone is typing in its terminal (14s ago)` */
export const keptLine = (waiting: number, kept: KeptBack, now: number) =>
  `${promptsWait(waiting)}: ${keptText(kept, now)}`

export const promptsWait = (waiting: number) => (waiting === 1 ? '1 prompt waits' : `${waiting} prompts wait`)

/** The question for a person. A resume opens a new terminal; unsent text in the old one is lost. */
export function keptQuestion(waiting: number, kept: KeptBack, now: number): string {
  const remedy = keptRemedy(kept.kind)
  const byHand =
    remedy === null ? 'Resume' : `Attach and ${remedy}: then the session goes on by itself. Or resume`
  return `${keptLine(waiting, kept, now)}. ${byHand} it in a new terminal (the old one closes), or close it?`
}

/** Without secrets before it is cut: the half of a key is not known for one. */
function quoted(text: string): string {
  const line = redactSecrets(text).replace(/\s+/g, ' ').trim()
  return `"${line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN - 1)}…` : line}"`
}
