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
    load: (): Loading => import('../commands/attach.ts').then((m) => m.attach),
  },
  {
    name: 'screen',
    summary: "Print a session's screen without attaching.",
    arguments: [id],
    options: [],
    examples: ['holdfast screen 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/screen.ts').then((m) => m.screen),
  },
  {
    name: 'tmux-status-check',
    summary: 'Tell in one word whether a session is alive.',
    details:
      'just_started, in_progress, idle, completed, crashed, stuck, timeout, incomplete, needs_input or not_found. ' +
      'A session whose statusline clock moved since the last check is never stuck. Exits 1 when not found.',
    arguments: [id],
    options: [],
    examples: ['holdfast tmux-status-check 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/tmux-status-check.ts').then((m) => m.tmuxStatusCheck),
  },
  {
    name: 'heartbeat',
    summary: 'Say that a session is alive, though it is silent.',
    details:
      'For an agent, its hooks or a program around it, while it works without a sign of life. ' +
      'Inside a run the session is the one of the run.',
    arguments: [{ ...id, optional: true }],
    options: [],
    examples: ['holdfast heartbeat', 'holdfast heartbeat 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/heartbeat.ts').then((m) => m.heartbeat),
  },
  {
    name: 'kill',
    summary: 'End sessions: interrupt, wait, kill; the whole process tree.',
    arguments: [{ name: 'id', about: 'Session ids, or beginnings of them.', optional: true, many: true }],
    options: [
      { name: 'force', short: 'f', about: 'Do not ask; needed without a terminal.' },
      { name: 'reason', value: 'TEXT', about: 'Why, for the record.' },
      { name: 'all', about: 'Every session that has not ended.' },
      projectOnly,
    ],
    examples: [
      'holdfast kill 20251118-153042-grafana-validator',
      'holdfast kill --all --project-only --force --reason "wrong branch"',
    ],
    load: (): Loading => import('../commands/kill.ts').then((m) => m.kill),
  },
  {
    name: 'archive',
    summary: 'Put ended sessions away. `status` and `logs` still find them.',
    details:
      'The handoff directory moves to .holdfast/archive/sessions/, large logs are packed. Completed sessions are archived by themselves, see `archive.after`.',
    arguments: [{ name: 'id', about: 'Session ids, or beginnings of them.', optional: true, many: true }],
    options: [
      {
        name: 'older-than',
        value: 'TIME',
        kind: 'duration',
        about: 'Every ended session, however it ended, that ended so long ago.',
      },
    ],
    examples: ['holdfast archive 20251118-153042-grafana-validator', 'holdfast archive --older-than 24h'],
    load: (): Loading => import('../commands/archive.ts').then((m) => m.archive),
  },
  {
    name: 'logs',
    summary: 'Print what a session wrote.',
    arguments: [id],
    options: [
      { name: 'follow', short: 'f', about: 'Go on until it has ended.' },
      { name: 'raw', about: "The agent's own events, one JSON value per line." },
      { name: 'session', about: 'What Holdfast did: the operation log.' },
    ],
    examples: ['holdfast logs -f 20251118-153042-grafana-validator', 'holdfast logs 20251118-15 --session'],
    load: (): Loading => import('../commands/logs.ts').then((m) => m.logs),
  },
  {
    name: 'monitor',
    summary: 'Wait until sessions are done, or one needs a decision.',
    details:
      'One blocking call. Returns when all are done, and at once when one asks, is stuck or cannot be found. ' +
      'Exits 0 when completed, 1 when not found, 2 otherwise. Ending it ends nothing else.',
    arguments: [{ name: 'id', about: 'Session ids, or beginnings of them.', many: true }],
    options: [
      { name: 'any', about: 'Return when the first of them is done.' },
      { name: 'all', about: 'Return when all of them are done: the default.' },
      { name: 'csv', about: 'Answer in rows: final_state,output_file,exit_reason.' },
      { name: 'verbose', short: 'v', about: 'Tell on stderr how it goes.' },
      {
        name: 'timeout',
        value: 'TIME',
        kind: 'duration',
        about: 'How long to wait: 90s, 30m, 2h, none. The sessions go on.',
        default: '60m',
      },
      { name: 'max-polls', value: 'N', about: 'Look at most so many times.', default: 'no limit' },
      { name: 'cursor', value: 'NAME', about: 'Also tell all events that NAME has not acknowledged.' },
      { name: 'ack', value: 'SEQ', about: 'NAME has all events up to the cursor of this answer.' },
      { name: 'workflow', value: 'STEP', about: 'The step this is, repeated in the answer.' },
      { name: 'story-key', value: 'KEY', about: 'The story this is, repeated in the answer.' },
      {
        name: 'state-file',
        value: 'FILE',
        about: 'With step and story: completed only if `verify-step` agrees.',
      },
    ],
    examples: [
      'holdfast monitor 20251118-153042-grafana-validator --json --verbose',
      'holdfast monitor 20251118-15 20251118-16 --any --timeout 2h',
      'holdfast monitor 20251118-15 --json --cursor night-shift --ack 4711',
    ],
    load: (): Loading => import('../commands/monitor.ts').then((m) => m.monitor),
  },
] as const satisfies readonly Command[]
