// Commands by which ended sessions are archived or removed.
import type { Command, Loading } from '../command.ts'

export const putAwayCommands = [
  {
    name: 'archive',
    summary: 'Put ended sessions away. `status` and `logs` still find them.',
    details:
      'The handoff directory moves to .holdfast/archive/sessions/, and large logs are compressed. Completed sessions are archived automatically; see the setting `archive.after`.',
    arguments: [
      { name: 'id', about: 'Session ids, names, parts of ids, or `last`.', optional: true, many: true },
    ],
    options: [
      {
        name: 'older-than',
        value: 'TIME',
        kind: 'duration',
        about: 'Every session that ended longer ago than this.',
      },
    ],
    examples: ['holdfast archive 20251118-153042-grafana-validator', 'holdfast archive --older-than 24h'],
    load: (): Loading => import('../commands/put-away/archive.ts').then((m) => m.archive),
  },
  {
    name: 'rm',
    summary: 'Remove ended sessions for good, with all their files and logs.',
    details: 'What the agent changed in the project stays, and so do the audit rows.',
    arguments: [{ name: 'id', about: 'Session ids, names, parts of ids, or `last`.', many: true }],
    options: [{ name: 'force', short: 'f', about: 'Do not ask; needed without a terminal.' }],
    examples: ['holdfast rm 20251118-153042-grafana-validator --force'],
    load: (): Loading => import('../commands/put-away/rm.ts').then((m) => m.rm),
  },
  {
    name: 'prune',
    summary: 'Remove all sessions that ended long ago, archived ones too.',
    arguments: [],
    options: [
      { name: 'older-than', value: 'TIME', kind: 'duration', about: 'How long ago they ended: 30d, 12h.' },
      { name: 'dry-run', about: 'Only count them.' },
      { name: 'force', short: 'f', about: 'Do not ask; needed without a terminal.' },
    ],
    examples: ['holdfast prune --older-than 30d --dry-run', 'holdfast prune --older-than 30d --force'],
    load: (): Loading => import('../commands/put-away/rm.ts').then((m) => m.prune),
  },
] as const satisfies readonly Command[]
