// Commands by which sessions are watched, ended and put away.
import type { Command, Loading } from '../command.ts'
import { id, projectOnly } from './shared.ts'

export const watchingCommands = [
  {
    name: 'attach',
    summary: "Enter a session's terminal.",
    arguments: [id],
    options: [{ name: 'read-only', short: 'r', about: 'Watch without being able to type.' }],
    examples: ['holdfast attach 20251118-153042-grafana-validator --read-only'],
    load: (): Loading => import('../commands/watch/attach.ts').then((m) => m.attach),
  },
  {
    name: 'screen',
    summary: "Print a session's screen without attaching.",
    arguments: [id],
    options: [],
    examples: ['holdfast screen 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/watch/screen.ts').then((m) => m.screen),
  },
  {
    name: 'tmux-status-check',
    summary: 'Tell in one word whether a session is alive.',
    details:
      'just_started, in_progress, idle, completed, crashed, killed, stuck, timeout, incomplete, needs_input or not_found. ' +
      'A session whose statusline clock moved since the last check is never stuck. Exits 1 when not found.',
    arguments: [id],
    options: [],
    examples: ['holdfast tmux-status-check 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/watch/tmux-status-check.ts').then((m) => m.tmuxStatusCheck),
  },
  {
    name: 'heartbeat',
    summary: 'Report that a session is alive although it is silent.',
    details:
      'For an agent, its hooks or a program around it, while it works and gives no other sign of life. ' +
      'Inside a run the id can be left out.',
    arguments: [{ ...id, optional: true }],
    options: [],
    examples: ['holdfast heartbeat', 'holdfast heartbeat 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/watch/heartbeat.ts').then((m) => m.heartbeat),
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
  {
    name: 'finish',
    summary: 'Complete a session that waits for more prompts.',
    details:
      'It ends as completed when its turn is over and all prompts that were sent to it are done. If it has a contract, its work is verified first. A session that takes no further prompts ends by itself.',
    arguments: [id],
    options: [],
    examples: ['holdfast finish 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/answer/finish.ts').then((m) => m.finish),
  },
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
  {
    name: 'logs',
    summary: 'Print what a session wrote.',
    arguments: [id],
    options: [
      { name: 'follow', short: 'f', about: 'Go on printing until the session has ended.' },
      { name: 'raw', about: "The agent's own events, one JSON value per line." },
      { name: 'session', about: 'What Holdfast did: the operation log.' },
    ],
    examples: ['holdfast logs -f 20251118-153042-grafana-validator', 'holdfast logs 20251118-15 --session'],
    load: (): Loading => import('../commands/watch/logs.ts').then((m) => m.logs),
  },
  {
    name: 'monitor',
    summary: 'Wait until sessions are done, or one needs a decision.',
    details:
      'One blocking call. It returns when all sessions are done, and at once when a session asks something, is stuck or ' +
      'cannot be found. A session that takes further prompts is done when its turn is over and no prompt waits for it; ' +
      'if it has a contract, its work is verified then. ' +
      'Exits 0 when completed, 1 when not found, 2 otherwise. When you stop this command, the sessions go on.',
    arguments: [{ name: 'id', about: 'Session ids, names, parts of ids, or `last`.', many: true }],
    options: [
      { name: 'any', about: 'Return when the first of them is done.' },
      { name: 'all', about: 'Return when all of them are done: the default.' },
      { name: 'csv', about: 'Answer in rows: final_state,output_file,exit_reason.' },
      { name: 'verbose', short: 'v', about: 'Print progress on stderr, and what each session waits for.' },
      {
        name: 'until',
        value: 'WHEN',
        choices: ['idle', 'ended'],
        about: '`ended`: do not return when a turn is over, only when the session has ended.',
        default: 'idle',
      },
      {
        name: 'timeout',
        value: 'TIME',
        kind: 'duration',
        bare: 'minutes',
        about:
          'How long to wait: 90s, 30m, 2h, none; a bare number is minutes. After that the sessions go on.',
        default: '60m',
      },
      {
        name: 'max-polls',
        value: 'N',
        about: 'Look at the sessions at most this many times.',
        default: 'no limit',
      },
      {
        name: 'cursor',
        value: 'NAME',
        about: 'Also report all events that the reader NAME has not acknowledged.',
      },
      {
        name: 'ack',
        value: 'SEQ',
        about: 'Acknowledge, for the reader NAME, all events up to SEQ: the `cursor` of an earlier answer.',
      },
      {
        name: 'workflow',
        value: 'STEP',
        about: 'The workflow step that the session does; it is repeated in the answer.',
      },
      {
        name: 'story-key',
        value: 'KEY',
        about: 'The story that the step belongs to; it is repeated in the answer.',
      },
      {
        name: 'state-file',
        value: 'FILE',
        about:
          'With --workflow and --story-key: also run `verify-step`; if it fails, the state is incomplete.',
      },
    ],
    examples: [
      'holdfast monitor 20251118-153042-grafana-validator --json --verbose',
      'holdfast monitor 20251118-15 20251118-16 --any --timeout 2h',
      'holdfast monitor 20251118-15 --json --cursor night-shift --ack 4711',
    ],
    load: (): Loading => import('../commands/watch/monitor.ts').then((m) => m.monitor),
  },
] as const satisfies readonly Command[]
