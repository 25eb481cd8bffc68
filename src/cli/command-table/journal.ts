// Commands for what follows the journal, and for events that it could not handle.
import type { Command, Loading } from '../command.ts'

export const journalCommands = [
  {
    name: 'journal show',
    summary: 'Show what follows the journal, how far it has come, and the events that were set aside.',
    arguments: [],
    options: [],
    examples: ['holdfast journal show', 'holdfast journal show --json'],
    load: (): Loading => import('../commands/set-up/journal.ts').then((m) => m.showJournal),
  },
  {
    name: 'journal retry',
    summary: 'Try the events that were set aside once more.',
    details: 'Exits 2 when some are still set aside. Each start of the daemon tries them, too.',
    arguments: [],
    options: [],
    examples: ['holdfast journal retry'],
    load: (): Loading => import('../commands/set-up/journal.ts').then((m) => m.retryEvents),
  },
  {
    name: 'journal drop',
    summary: 'Give up an event that was set aside, or a reader of a daemon that is gone.',
    details:
      'What should have followed from it does not happen. Later events of the same session, which waited behind it, are tried. A reader can be dropped when its daemon, another one on the same store, is not heard of; should that daemon come back, it does not handle what happened before.',
    arguments: [{ name: 'event', about: 'The event or the reader, as `holdfast journal show` names it.' }],
    options: [],
    examples: ['holdfast journal drop unread:4f0b7c1e:4711', 'holdfast journal drop unread@4f0b7c1e'],
    load: (): Loading => import('../commands/set-up/journal.ts').then((m) => m.dropEvent),
  },
] as const satisfies readonly Command[]
