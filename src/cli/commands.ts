// Owns every command. Help, completion, argument checking, what the code receives and the docs tests are made from this table.
import type { Command, Input, Loading, Option } from './command.ts'
import { taskOptions } from './task-options.ts'

export const globalOptions = [
  { name: 'home', value: 'DIR', about: 'Where Holdfast keeps its state.', default: '$HOLDFAST_HOME' },
  { name: 'json', about: 'Answer in JSON; errors too, as {"error":{code,message,hint}} on stdout.' },
  { name: 'help', short: 'h', about: 'Show help.' },
  { name: 'version', short: 'V', about: 'Show the version.' },
] as const satisfies readonly Option[]

const id = { name: 'id', about: 'A session id, or the beginning of one.' } as const
const dir = { name: 'dir', value: 'DIR', about: 'The project to look from.', default: 'here' } as const
const projectOnly = { name: 'project-only', about: 'Only sessions of the project you are in.' } as const

export const commands = [
  {
    name: 'create',
    summary: 'Start a task for a role from a prompt file.',
    details: 'Roles are persona files, agents/<role>/<role>-agent.md; see `holdfast roles`.',
    arguments: [
      { name: 'role', about: 'Who does the work.' },
      { name: 'prompt-file', about: 'The task, as UTF-8 text.' },
    ],
    options: taskOptions,
    examples: [
      'holdfast create grafana-validator task.md',
      'holdfast create reviewer task.md --tag nightly --max-duration 2h --wait',
    ],
    load: (): Loading => import('./commands/create.ts').then((m) => m.create),
  },
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
        about: 'Who does the work.',
        default: 'nobody in particular',
      },
      { name: 'file', short: 'f', value: 'FILE', about: 'Read the prompt from a file.' },
    ],
    examples: [
      'holdfast run "fix the failing login test"',
      'holdfast run --agent scripted --file task.md --wait',
      'holdfast run --role reviewer --env API_TOKEN --meta ticket=TEF-123 -- --looks-like-an-option',
    ],
    load: (): Loading => import('./commands/run.ts').then((m) => m.run),
  },
  {
    name: 'list',
    summary: 'List sessions, newest first.',
    arguments: [],
    options: [
      {
        name: 'status',
        short: 's',
        value: 'STATUS',
        about: 'CREATED, RUNNING, COMPLETED, FAILED or KILLED.',
      },
      { name: 'tag', short: 't', value: 'TAG', about: 'Only sessions with this tag.' },
      projectOnly,
      { name: 'archived', about: 'Those in the archive instead.' },
      { name: 'watch', short: 'w', about: 'Redraw every second until Ctrl-C.' },
    ],
    examples: [
      'holdfast list',
      'holdfast list --status=FAILED --json',
      'holdfast list --project-only --watch',
    ],
    load: (): Loading => import('./commands/list.ts').then((m) => m.list),
  },
  {
    name: 'status',
    summary: 'Show one session.',
    arguments: [id],
    options: [],
    examples: ['holdfast status 20251118-153042-grafana-validator --json'],
    load: (): Loading => import('./commands/status.ts').then((m) => m.status),
  },
  {
    name: 'answer',
    summary: 'Answer what a session asks.',
    details: 'The questions and their options are shown by `holdfast status <id>`.',
    arguments: [
      id,
      { name: 'choice', about: "An option's number or words, or a text of your own.", many: true },
    ],
    options: [
      { name: 'question', value: 'NUMBER', about: 'Which, when several are open.', default: 'the oldest' },
    ],
    examples: ['holdfast answer 20251118-153042-grafana-validator 1', 'holdfast answer 20251118-15 allow'],
    load: (): Loading => import('./commands/answer.ts').then((m) => m.answer),
  },
  {
    name: 'send',
    summary: 'Send a further prompt to a session that listens.',
    details: 'Sessions listen when they were started with --converse or --mode interactive.',
    arguments: [id, { name: 'prompt', about: 'What to do; `-` reads stdin.', optional: true, many: true }],
    options: [
      { name: 'file', short: 'f', value: 'FILE', about: 'Read the prompt from a file.' },
      { name: 'end', about: 'No more prompts: it ends when its turn is over.' },
    ],
    examples: [
      'holdfast send 20251118-153042-grafana-validator "now fix the docs too"',
      'holdfast send 20251118-153042-grafana-validator --end',
    ],
    load: (): Loading => import('./commands/send.ts').then((m) => m.send),
  },
  {
    name: 'verify',
    summary: "Hold a session's work against its contract, now.",
    details: 'Exits 0 when verified, 2 when not. It changes nothing about the session.',
    arguments: [id],
    options: [],
    examples: ['holdfast verify 20251118-153042-grafana-validator --json'],
    load: (): Loading => import('./commands/verify.ts').then((m) => m.verify),
  },
  {
    name: 'verify-step',
    summary: 'Hold the project against the contract of a workflow step.',
    details:
      'The contract stands in the state file, in .holdfast/steps/<step>.yaml or in your own steps; see docs/verify.md. ' +
      'Answers in JSON. Exits 0 when verified, 2 when not.',
    arguments: [
      { name: 'step', about: 'The step, such as create.' },
      { name: 'story', about: 'What it was done for, such as 5.3; {story} in the contract.' },
    ],
    options: [
      { name: 'state-file', value: 'FILE', about: 'Where the workflow stands.' },
      { name: 'dir', short: 'd', value: 'DIR', about: 'The project.', default: 'here' },
    ],
    examples: ['holdfast verify-step create 5.3 --state-file state.yaml'],
    load: (): Loading => import('./commands/verify-step.ts').then((m) => m.verifyStep),
  },
  {
    name: 'questions',
    summary: 'List everything that sessions ask, with the commands to answer.',
    arguments: [],
    options: [],
    examples: ['holdfast questions'],
    load: (): Loading => import('./commands/questions.ts').then((m) => m.questions),
  },
  {
    name: 'why',
    summary: 'Tell what happened to a session, why it waits, and what comes next.',
    arguments: [id],
    options: [],
    examples: ['holdfast why 20251118-153042-grafana-validator'],
    load: (): Loading => import('./commands/why.ts').then((m) => m.why),
  },
  {
    name: 'resume',
    summary: 'Let a session go on that waits for you, is parked, or has ended.',
    details:
      'It goes on in its own conversation where its agent can. An ended one gets the environment you call this in.',
    arguments: [
      id,
      {
        name: 'prompt',
        about: 'What to tell it instead of the usual words; `-` reads stdin.',
        optional: true,
        many: true,
      },
    ],
    options: [{ name: 'file', short: 'f', value: 'FILE', about: 'Read the prompt from a file.' }],
    examples: [
      'holdfast resume 20251118-153042-grafana-validator',
      'holdfast resume 20251118-15 "the network is back, go on"',
    ],
    load: (): Loading => import('./commands/resume.ts').then((m) => m.resume),
  },
  {
    name: 'retry',
    summary: 'Let a session begin anew, with what was done as context.',
    arguments: [id],
    options: [],
    examples: ['holdfast retry 20251118-153042-grafana-validator'],
    load: (): Loading => import('./commands/resume.ts').then((m) => m.retry),
  },
  {
    name: 'takeover',
    summary: 'Take a session over: it goes on in its terminal, with you.',
    arguments: [id],
    options: [{ name: 'attach', about: 'Enter the terminal as soon as it is there.' }],
    examples: ['holdfast takeover 20251118-153042-grafana-validator --attach'],
    load: (): Loading => import('./commands/takeover.ts').then((m) => m.takeover),
  },
  {
    name: 'handback',
    summary: 'Hand a session back: it goes on without a terminal.',
    arguments: [id],
    options: [],
    examples: ['holdfast handback 20251118-153042-grafana-validator'],
    load: (): Loading => import('./commands/takeover.ts').then((m) => m.handback),
  },
  {
    name: 'parks',
    summary: 'List what is parked: behind which limit, until when, and who waits.',
    arguments: [],
    options: [],
    examples: ['holdfast parks'],
    load: (): Loading => import('./commands/parks.ts').then((m) => m.parks),
  },
  {
    name: 'unpark',
    summary: 'Do not wait any longer: go on now.',
    details:
      'A session behind a limit tries first; the rest follow when it gets on. --all lets all try at once.',
    arguments: [{ ...id, optional: true }],
    options: [{ name: 'all', about: 'Everything that is parked.' }],
    examples: ['holdfast unpark 20251118-153042-grafana-validator', 'holdfast unpark --all'],
    load: (): Loading => import('./commands/parks.ts').then((m) => m.unpark),
  },
  {
    name: 'attach',
    summary: "Enter a session's terminal.",
    arguments: [id],
    options: [{ name: 'read-only', short: 'r', about: 'Watch without being able to type.' }],
    examples: ['holdfast attach 20251118-153042-grafana-validator --read-only'],
    load: (): Loading => import('./commands/attach.ts').then((m) => m.attach),
  },
  {
    name: 'screen',
    summary: "Print a session's screen without attaching.",
    arguments: [id],
    options: [],
    examples: ['holdfast screen 20251118-153042-grafana-validator'],
    load: (): Loading => import('./commands/screen.ts').then((m) => m.screen),
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
    load: (): Loading => import('./commands/tmux-status-check.ts').then((m) => m.tmuxStatusCheck),
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
    load: (): Loading => import('./commands/kill.ts').then((m) => m.kill),
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
    examples: [
      'holdfast archive 20251118-153042-grafana-validator',
      'holdfast archive --older-than 24h',
      'holdfast list --archived',
    ],
    load: (): Loading => import('./commands/archive.ts').then((m) => m.archive),
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
    load: (): Loading => import('./commands/logs.ts').then((m) => m.logs),
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
    load: (): Loading => import('./commands/monitor.ts').then((m) => m.monitor),
  },
  {
    name: 'roles',
    summary: 'List the roles that `create` and `run --role` know here.',
    arguments: [],
    options: [dir],
    examples: ['holdfast roles'],
    load: (): Loading => import('./commands/roles.ts').then((m) => m.roles),
  },
  {
    name: 'workspace add',
    summary: 'Allow agents to work in a directory.',
    arguments: [{ name: 'dir', about: 'The directory; this one without it.', optional: true }],
    options: [{ name: 'slug', value: 'NAME', about: 'Its short name.', default: "the directory's name" }],
    examples: ['holdfast workspace add ~/projects/shop --slug shop'],
    load: (): Loading => import('./commands/workspace.ts').then((m) => m.addWorkspace),
  },
  {
    name: 'workspace list',
    summary: 'List the directories agents may work in.',
    arguments: [],
    options: [],
    examples: ['holdfast workspace list'],
    load: (): Loading => import('./commands/workspace.ts').then((m) => m.listWorkspaces),
  },
  {
    name: 'workspace rm',
    summary: 'No longer allow a directory. Its files stay.',
    arguments: [{ name: 'workspace', about: 'Its slug, id or path.' }],
    options: [],
    examples: ['holdfast workspace rm shop'],
    load: (): Loading => import('./commands/workspace.ts').then((m) => m.removeWorkspace),
  },
  {
    name: 'config show',
    summary: 'Show every setting and where it comes from.',
    arguments: [],
    options: [dir],
    examples: ['holdfast config show'],
    load: (): Loading => import('./commands/config.ts').then((m) => m.showConfig),
  },
  {
    name: 'trust',
    summary: "Approve a project's files that execute something or widen what agents may do.",
    details:
      'Shows what each would allow and asks. An approval holds for that content: a changed file needs a new one.',
    arguments: [
      {
        name: 'path',
        about: 'A directory of the project, or one of its files; here without it.',
        optional: true,
      },
    ],
    options: [
      { name: 'list', short: 'l', about: 'Only show the files, and which are approved.' },
      { name: 'revoke', about: 'Take approvals back: of the file, or of all below the directory.' },
      { name: 'yes', short: 'y', about: 'Do not ask; needed without a terminal.' },
    ],
    examples: ['holdfast trust', 'holdfast trust --list --json', 'holdfast trust ~/projects/shop --revoke'],
    load: (): Loading => import('./commands/trust.ts').then((m) => m.trust),
  },
  {
    name: 'agents',
    summary: 'List the agent kinds, where they are, and what each can do.',
    arguments: [],
    options: [],
    examples: ['holdfast agents', 'holdfast agents --json'],
    load: (): Loading => import('./commands/agents.ts').then((m) => m.agents),
  },
  {
    name: 'agents read',
    summary: 'Show as JSON what Holdfast sees in a screen (on stdin).',
    arguments: [{ name: 'kind', about: 'An agent kind.' }],
    options: [
      { name: 'title', value: 'TEXT', about: "The pane's title." },
      { name: 'cursor', value: 'X,Y', about: 'Where the cursor is.' },
    ],
    examples: ['holdfast agents read claude --title "✳ Claude Code" --cursor 2,20'],
    load: (): Loading => import('./commands/agents.ts').then((m) => m.readAgentScreen),
  },
  {
    name: 'agents events',
    summary: 'Show what the event reader makes of a stream (on stdin), a JSON line each.',
    arguments: [{ name: 'kind', about: 'An agent kind.' }],
    options: [],
    examples: ['holdfast agents events codex'],
    load: (): Loading => import('./commands/agents.ts').then((m) => m.readAgentEvents),
  },
  {
    name: 'audit',
    summary: 'Show who did what: creations, stops, ends, refusals, blocked tools; newest first.',
    arguments: [],
    options: [
      { name: 'since', value: 'WHEN', about: 'Only from then on: 2h, 3d, 2025-11-18 or 2025-11-18T15:30.' },
      { name: 'task', value: 'ID', about: 'Only of this session; the beginning of its id is enough.' },
      { name: 'kind', short: 'k', value: 'KIND', about: 'Only of this kind, such as task_failed.' },
      { name: 'limit', value: 'N', about: 'At most so many.', default: '100' },
    ],
    examples: [
      'holdfast audit',
      'holdfast audit --since 24h --kind kill_ordered',
      'holdfast audit --task 20251118-153042-grafana-validator --json',
    ],
    load: (): Loading => import('./commands/audit.ts').then((m) => m.audit),
  },
  {
    name: 'doctor',
    summary: 'Check what Holdfast needs, and say how to fix it.',
    details: 'Exits 1 when something fails. Works without a daemon and does not start one.',
    arguments: [],
    options: [],
    examples: ['holdfast doctor'],
    load: (): Loading => import('./commands/doctor.ts').then((m) => m.doctor),
  },
  {
    name: 'drill',
    summary: 'Kill things on purpose, on a scratch task, and show that its work goes on.',
    details:
      'In homes and workspaces of its own; yours are not touched. Takes about a minute. Prints what was done, the time ' +
      'until it was noticed and until the work went on, and what was lost. Exits 2 when something was.',
    arguments: [],
    options: [
      {
        name: 'agent',
        short: 'a',
        value: 'KIND',
        about: 'Who does the work.',
        choices: ['scripted', 'claude', 'codex', 'opencode', 'pi'],
        default: 'scripted',
      },
      { name: 'only', value: 'NAMES', about: 'Only these blows, such as agent,daemon.', default: 'all' },
      { name: 'keep', about: 'Keep the scratch directories.' },
    ],
    examples: [
      'holdfast drill',
      'holdfast drill --only agent,tmux,reboot --json',
      'holdfast drill --agent claude',
    ],
    load: (): Loading => import('./commands/drill.ts').then((m) => m.drill),
  },
  {
    name: 'service install',
    summary: 'Let the system start the daemon, also after a reboot.',
    details:
      'A systemd user unit, or a launchd agent on macOS. A running daemon moves under it; agents go on.',
    arguments: [],
    options: [],
    examples: ['holdfast service install'],
    load: (): Loading => import('./commands/service.ts').then((m) => m.installService),
  },
  {
    name: 'service uninstall',
    summary: 'No longer. Running agents go on, and any command starts the daemon again.',
    arguments: [],
    options: [],
    examples: ['holdfast service uninstall'],
    load: (): Loading => import('./commands/service.ts').then((m) => m.uninstallService),
  },
  {
    name: 'service status',
    summary: 'Show whether the service is installed, enabled and running, and what is left to do.',
    arguments: [],
    options: [],
    examples: ['holdfast service status', 'holdfast service status --json'],
    load: (): Loading => import('./commands/service.ts').then((m) => m.statusOfService),
  },
  {
    name: 'up',
    summary: 'Start the daemon. Any command does so when it needs one.',
    arguments: [],
    options: [{ name: 'foreground', about: 'Run it in this terminal.' }],
    examples: ['holdfast up', 'holdfast up --foreground'],
    load: (): Loading => import('./commands/up.ts').then((m) => m.up),
  },
  {
    name: 'down',
    summary: 'Stop the daemon. Running agents go on and are found again.',
    arguments: [],
    options: [],
    examples: ['holdfast down'],
    load: (): Loading => import('./commands/down.ts').then((m) => m.down),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for your shell.',
    arguments: [{ name: 'shell', about: 'bash, zsh or fish.', choices: ['bash', 'zsh', 'fish'] }],
    options: [],
    examples: ['holdfast completion bash'],
    load: (): Loading => import('./commands/completion.ts').then((m) => m.completion),
  },
  {
    name: 'completion ids',
    summary: 'Print the ids of all sessions, for completion scripts.',
    arguments: [],
    options: [],
    examples: ['holdfast completion ids'],
    hidden: true,
    load: (): Loading => import('./commands/completion.ts').then((m) => m.completionIds),
  },
  {
    name: 'help',
    summary: 'Show help for a command.',
    arguments: [{ name: 'command', about: 'Its name.', optional: true, many: true }],
    options: [],
    examples: ['holdfast help run', 'holdfast help workspace add'],
    load: (): Loading => import('./commands/help.ts').then((m) => m.help),
  },
] as const satisfies readonly Command[]

type Row = (typeof commands)[number]
export type CommandName = Row['name']
/** What a command's code receives. */
export type InputOf<Name extends CommandName> = Input<Extract<Row, { name: Name }>>
