// Commands by which a session is brought back, taken over or ended.
import type { Command, Loading } from '../command.ts'
import { id, projectOnly } from './common-arguments.ts'

export const fixCommands = [
  {
    name: 'resume',
    summary: 'Continue a session that waits for you, is parked, or has ended.',
    details:
      'The agent continues its own conversation, if it can. A session that has ended gets the environment variables of this shell.',
    arguments: [
      id,
      {
        name: 'prompt',
        about: 'What to tell the agent, instead of the standard message; `-` reads stdin.',
        optional: true,
        many: true,
      },
    ],
    options: [{ name: 'file', short: 'f', value: 'FILE', about: 'Read the prompt from a file.' }],
    examples: [
      'holdfast resume 20251118-153042-grafana-validator',
      'holdfast resume 20251118-15 "the network is back, go on"',
    ],
    load: (): Loading => import('../commands/fix/resume.ts').then((m) => m.resume),
  },
  {
    name: 'retry',
    summary: 'Start a session again, with what was done so far as context.',
    arguments: [id],
    options: [],
    examples: ['holdfast retry 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/fix/resume.ts').then((m) => m.retry),
  },
  {
    name: 'takeover',
    summary: 'Continue a session in its terminal, where you can type.',
    arguments: [id],
    options: [{ name: 'attach', about: 'Attach to the terminal as soon as it is ready.' }],
    examples: ['holdfast takeover 20251118-153042-grafana-validator --attach'],
    load: (): Loading => import('../commands/fix/takeover.ts').then((m) => m.takeover),
  },
  {
    name: 'handback',
    summary: 'Give a session back: it continues without a terminal.',
    arguments: [id],
    options: [],
    examples: ['holdfast handback 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/fix/takeover.ts').then((m) => m.handback),
  },
  {
    name: 'parks',
    summary: 'List the sessions that wait for a limit, and until when.',
    arguments: [],
    options: [],
    examples: ['holdfast parks'],
    load: (): Loading => import('../commands/fix/parks.ts').then((m) => m.parks),
  },
  {
    name: 'unpark',
    summary: 'Continue parked sessions now instead of waiting.',
    details:
      'If other sessions wait for the same limit, this one tries first; the others follow when it makes progress. With --all, no session waits for another.',
    arguments: [{ ...id, optional: true }],
    options: [{ name: 'all', about: 'Continue all parked sessions.' }],
    examples: ['holdfast unpark 20251118-153042-grafana-validator', 'holdfast unpark --all'],
    load: (): Loading => import('../commands/fix/parks.ts').then((m) => m.unpark),
  },
  {
    name: 'kill',
    summary: 'End sessions: interrupt, wait, then kill the whole process tree.',
    arguments: [
      { name: 'id', about: 'Session ids, names, parts of ids, or `last`.', optional: true, many: true },
    ],
    options: [
      { name: 'force', short: 'f', about: 'Do not ask; needed without a terminal.' },
      { name: 'reason', value: 'TEXT', about: 'The reason; it is kept with the session.' },
      { name: 'all', about: 'Every session that has not ended.' },
      projectOnly,
    ],
    examples: [
      'holdfast kill 20251118-153042-grafana-validator',
      'holdfast kill --all --project-only --force --reason "wrong branch"',
    ],
    load: (): Loading => import('../commands/fix/kill.ts').then((m) => m.kill),
  },
] as const satisfies readonly Command[]
