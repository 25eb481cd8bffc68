// Owns how it is told what became of the journal's events. Pure.
import type { JournalJson, SetAsideJson, SubscriberJson } from '../../../src/protocol/json/journal-json.ts'
import type { StateWord } from './state.ts'

export function journalWord({ set_aside, subscribers }: JournalJson): StateWord {
  if (set_aside.length > 0) return { word: 'set aside', tone: 'red' }
  return subscribers.some(({ holds_pruning }) => holds_pruning)
    ? { word: 'held back', tone: 'amber' }
    : { word: 'fine', tone: 'green' }
}

/** Why an event was set aside. One that only waits behind another has no error of its own. */
export const whySetAside = ({ why }: Pick<SetAsideJson, 'why'>) =>
  why ?? 'It waits behind an earlier one of its session.'

/** Undefined when nobody keeps old events from being deleted. */
export function heldWords(subscribers: readonly SubscriberJson[]): string | undefined {
  const holding = subscribers.filter(({ holds_pruning }) => holds_pruning)
  if (holding.length === 0) return undefined
  const each = holding.map(({ name, behind }) => `${name} (${behind.toLocaleString('en-US')} behind)`)
  return `Old events are kept, because they were not handled yet: ${each.join(', ')}.`
}
