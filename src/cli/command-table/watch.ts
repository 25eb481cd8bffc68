// Commands by which sessions are watched, explained and checked.
import type { Command, Loading } from '../command.ts'
import { id, projectOnly } from './common-arguments.ts'

export const watchCommands = [
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
    name: 'attach',
    summary: "Enter a session's terminal.",
    arguments: [id],
    options: [{ name: 'read-only', short: 'r', about: 'Watch without being able to type.' }],
    examples: [
      'holdfast attach 20251118-153042-grafana-validator --read-only',
      'holdfast attach reviewer@mobile_core',
      'holdfast attach mobile_core',
    ],
    load: (): Loading => import('../commands/watch/attach.ts').then((m) => m.attach),
  },
  {
    name: 'top',
    summary: 'A live board in this terminal: what needs you first.',
    details:
      'Arrows select. Enter attaches, a answers, l reads logs, w says why, k kills, r starts again, s sends a prompt, ' +
      '/ filters, ? shows all keys, q leaves; leaving stops no session. It works over ssh and in `tmux display-popup`.',
    arguments: [],
    options: [projectOnly, { name: 'tag', short: 't', value: 'TAG', about: 'Only sessions with this tag.' }],
    examples: ['holdfast top', 'holdfast top --project-only'],
    load: (): Loading => import('../commands/watch/top.ts').then((m) => m.top),
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
      { name: 'bell', about: 'Ring the terminal when it returns.' },
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
  {
    name: 'why',
    summary: 'Show what happened to a session, why, and what comes next.',
    arguments: [id],
    options: [],
    examples: ['holdfast why 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/watch/why.ts').then((m) => m.why),
  },
  {
    name: 'report',
    summary: 'Make one page of a session, for a colleague: timeline, runs, output, diff, result.',
    details:
      'Prints HTML, in one file that needs no network and runs no script. Secrets are removed where their form is known. ' +
      'Files are compared with the commit that was checked out when the session was created.',
    arguments: [id],
    options: [],
    examples: [
      'holdfast report 20251118-153042-grafana-validator > report.html',
      'holdfast report last --json',
    ],
    load: (): Loading => import('../commands/watch/report.ts').then((m) => m.report),
  },
  {
    name: 'audit',
    summary: 'Show who did what: creations, stops, ends, refusals, blocked tools; newest first.',
    arguments: [],
    options: [
      {
        name: 'since',
        value: 'WHEN',
        about: 'Only what happened since then: 2h, 3d, 2025-11-18 or 2025-11-18T15:30.',
      },
      { name: 'task', value: 'ID', about: 'Only this session: its id, name, or a part of its id.' },
      { name: 'kind', short: 'k', value: 'KIND', about: 'Only this kind, such as task_failed.' },
      { name: 'limit', value: 'N', about: 'At most this many rows.', default: '100' },
    ],
    examples: [
      'holdfast audit',
      'holdfast audit --since 24h --kind kill_ordered',
      'holdfast audit --task 20251118-153042-grafana-validator --json',
    ],
    load: (): Loading => import('../commands/watch/audit.ts').then((m) => m.audit),
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
    options: [
      {
        name: 'status',
        value: 'STATUS',
        choices: ['active', 'idle'],
        about: 'What the agent does.',
        default: 'active',
      },
    ],
    examples: ['holdfast heartbeat', 'holdfast heartbeat 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/watch/heartbeat.ts').then((m) => m.heartbeat),
  },
  {
    name: 'verify',
    summary: "Check a session's work against its contract now.",
    details: 'Exits 0 when verified, 2 when not. It changes nothing about the session.',
    arguments: [id],
    options: [],
    examples: ['holdfast verify 20251118-153042-grafana-validator --json'],
    load: (): Loading => import('../commands/watch/verify.ts').then((m) => m.verify),
  },
  {
    name: 'verify-step',
    summary: 'Check the project against the contract of a workflow step.',
    details:
      'The contract is read from the state file, from .holdfast/steps/<step>.yaml or from ~/.config/holdfast/steps/<step>.yaml; see docs/verify.md. ' +
      'Answers in JSON. Exits 0 when verified, 2 when not.',
    arguments: [
      { name: 'step', about: 'The step, such as create.' },
      {
        name: 'story',
        about: 'The story that the step belongs to, such as 5.3; it replaces {story} in the contract.',
      },
    ],
    options: [
      { name: 'state-file', value: 'FILE', about: 'The state file of the workflow.' },
      { name: 'dir', short: 'd', value: 'DIR', about: 'The project.', default: 'here' },
    ],
    examples: ['holdfast verify-step create 5.3 --state-file state.yaml'],
    load: (): Loading => import('../commands/watch/verify-step.ts').then((m) => m.verifyStep),
  },
] as const satisfies readonly Command[]
