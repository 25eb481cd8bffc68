// Owns that an agent which hears by lines is told no prompt while a person is at its terminal. Its own channel would leave
// the person's text alone, but a turn would begin under the person's hands, and their next Enter would fall into it.

import type { KeptBack } from '../../domain/conversation/kept-back.ts'
import type { Input } from '../../domain/task/input.ts'
import type { Question } from '../../domain/task/question.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import type { ScreenReading } from '../../ports/run/screen.ts'
import type { PaneView } from '../../ports/run/terminal.ts'
import { nextToSay } from '../inputs/next-to-say.ts'
import type { Recipient } from '../inputs/recipient.ts'
import type { DeliveryNeeds } from '../needs.ts'

type Screen = {
  readonly view: Pick<PaneView, 'keyAgeMs'>
  readonly reading: Pick<ScreenReading, 'draft'>
}

/** Pure. Whoever forces a prompt takes the responsibility: nothing of the person's is sent or lost by it. */
export function keptByPerson(
  { triggerId, forcedBy }: Pick<Input, 'triggerId' | 'forcedBy'>,
  { view: { keyAgeMs }, reading: { draft } }: Screen,
  quietMs: number,
  now: number,
): KeptBack | undefined {
  if (triggerId === null || forcedBy !== null) return undefined
  if (keyAgeMs !== null && keyAgeMs < quietMs) {
    const lastKeyAt = now - keyAgeMs
    return { kind: 'person_types', lastKeyAt, until: lastKeyAt + quietMs }
  }
  return draft === null ? undefined : { kind: 'draft', text: draft }
}

type Look = Screen & { readonly inputs: readonly Input[]; readonly open: readonly Question[] }

/** The next prompt, if a person keeps it back; `nothing` when none is. */
export function keptFromLines(
  look: Look,
  recipient: Recipient,
  { clock, config }: Pick<DeliveryNeeds, 'clock' | 'config'>,
): 'nothing' | { readonly number: number; readonly why: KeptBack } {
  const next = nextToSay(look.inputs, look.open, recipient)
  const why = next && keptByPerson(next, look, config['quiet.window'], clock.now())
  return next === undefined || why === undefined ? 'nothing' : { number: next.number, why }
}

/** Looks at the terminal now. A terminal that cannot be asked keeps nothing back. */
export async function isKeptByPerson(
  input: Input,
  { task, run }: Recipient,
  driver: AgentDriver,
  { clock, config, terminal }: Pick<DeliveryNeeds, 'clock' | 'config' | 'terminal'>,
): Promise<boolean> {
  if (task.mode !== 'interactive' || input.triggerId === null) return false
  const view = await terminal.look(task.id, run.id).catch(() => undefined)
  if (view === undefined) return false
  const screen = { view, reading: driver.readScreen(view) }
  return keptByPerson(input, screen, config['quiet.window'], clock.now()) !== undefined
}
