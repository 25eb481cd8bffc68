// Commands by which work is started and found.
import type { Command, Loading } from '../command.ts'
import { id, projectOnly } from './common-arguments.ts'
import { taskOptions } from './task-options.ts'

export const startCommands = [
  {
    name: 'run',
    summary: 'Start a task from a sentence, a file or stdin.',
    arguments: [{ name: 'prompt', about: 'What to do; `-` reads stdin.', optional: true, many: true }],
    options: [
      ...taskOptions,
      {
        name: 'role',
        short: 'r',
        value: 'ROLE',
        about: 'The role that does the work.',
        default: 'no role',
      },
      { name: 'file', short: 'f', value: 'FILE', about: 'Read the prompt from a file.' },
    ],
    examples: [
      'holdfast run "fix the failing login test"',
      'holdfast run --agent scripted --file task.md --wait',
      'holdfast run --role reviewer --env API_TOKEN --meta ticket=TEF-123 -- --looks-like-an-option',
    ],
    load: (): Loading => import('../commands/start/run.ts').then((m) => m.run),
  },
  {
    name: 'create',
    summary: 'Start a task for a role from a prompt file.',
    details: 'Roles are persona files, agents/<role>/<role>-agent.md; see `holdfast roles`.',
    arguments: [
      { name: 'role', about: 'The role that does the work.' },
      { name: 'prompt-file', about: 'The task, as UTF-8 text.' },
    ],
    options: taskOptions,
    examples: [
      'holdfast create grafana-validator task.md',
      'holdfast create reviewer task.md --tag nightly --max-duration 2h --wait',
    ],
    load: (): Loading => import('../commands/start/create.ts').then((m) => m.create),
  },
  {
    name: 'list',
    summary: 'List sessions: first those that have not ended, then the newest of the others.',
    arguments: [],
    options: [
      {
        name: 'status',
        short: 's',
        value: 'STATUS',
        about:
          'CREATED, RUNNING, COMPLETED, FAILED or KILLED; a task status or a phase such as asking; several with commas.',
      },
      { name: 'tag', short: 't', value: 'TAG', about: 'Only sessions with this tag.' },
      projectOnly,
      { name: 'parent', value: 'ID', about: 'Only sessions that this one started.' },
      { name: 'archived', about: 'Show the archived sessions instead.' },
      { name: 'runtimes', about: 'Show runtimes too; `holdfast runtime list` tells more of them.' },
      {
        name: 'ended-since',
        value: 'WHEN',
        about:
          'Only those that ended since then, the last one first: 2h, 3d, 2025-11-18 or 2025-11-18T15:30.',
      },
      {
        name: 'limit',
        value: 'N',
        about: 'How many ended sessions to show; those that have not ended are always shown.',
        default: '50',
      },
      { name: 'all', about: 'Show all sessions, however many there are.' },
      {
        name: 'after',
        value: 'NEXT',
        about: "Go on where an earlier list stopped: the value of 'next' in its --json answer.",
      },
      { name: 'tree', about: 'Show each session below the session that started it.' },
      { name: 'watch', short: 'w', about: 'Redraw every second until Ctrl-C.' },
    ],
    examples: [
      'holdfast list',
      'holdfast list --status=FAILED --json',
      'holdfast list --ended-since 24h',
      'holdfast list --all --json',
      'holdfast list --project-only --watch',
    ],
    load: (): Loading => import('../commands/start/list.ts').then((m) => m.list),
  },
  {
    name: 'status',
    summary: 'Show one session.',
    arguments: [id],
    options: [],
    examples: ['holdfast status 20251118-153042-grafana-validator --json'],
    load: (): Loading => import('../commands/start/status.ts').then((m) => m.status),
  },
] as const satisfies readonly Command[]
