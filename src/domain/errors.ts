// Owns every error that a person or program can get: exit code, HTTP status and hint. docs/errors.md explains each.

export const errorCatalogue = {
  USAGE: { exit: 1, http: 400, hint: 'See `holdfast --help` or `holdfast <command> --help`.' },
  INVALID_REQUEST: { exit: 1, http: 400, hint: 'Compare the request with docs/json-output.md.' },
  REQUEST_TOO_LARGE: {
    exit: 1,
    http: 413,
    hint: 'Send less at once: put long texts into files, and send the file names instead.',
  },
  INVALID_NAME: { exit: 1, http: 400, hint: 'Choose another name, for example `fix-login.2`.' },
  INVALID_ID: { exit: 1, http: 400, hint: 'Copy the id from `holdfast list`.' },
  INVALID_STATUS_FILTER: {
    exit: 1,
    http: 400,
    hint: 'Use CREATED, RUNNING, COMPLETED, FAILED or KILLED, or a phase such as asking.',
  },
  INVALID_TRANSITION: {
    exit: 1,
    http: 409,
    hint: 'See the state of the session with `holdfast status <id>`.',
  },
  TRANSITION_CONFLICT: {
    exit: 2,
    http: 409,
    hint: 'The session has changed meanwhile: look again with `holdfast status <id>`.',
  },
  JOURNAL_TRUNCATED: {
    exit: 2,
    http: 410,
    hint: 'Read the sessions with `holdfast list --json`, then follow the events without a place: leave out `after` and Last-Event-ID.',
  },
  ORDER_TOO_LATE: {
    exit: 1,
    http: 409,
    hint: 'See how it is now with `holdfast status <id>`, then give the order again if you still want it.',
  },
  SUBSCRIBER_TAKEN: {
    exit: 2,
    http: 409,
    hint: 'Nothing is lost: the other daemon goes on with it. If this comes again, two daemons use this store: stop one with `holdfast down`.',
  },
  STALE_EPOCH: {
    exit: 2,
    http: 503,
    hint: 'A newer daemon uses this store; stop the old one with `holdfast down`.',
  },
  TASK_NOT_FOUND: { exit: 1, http: 404, hint: 'See what exists with `holdfast list`.' },
  TASK_EXISTS: { exit: 1, http: 409, hint: 'Give the task another `--name`.' },
  TASK_ACTIVE: {
    exit: 1,
    http: 409,
    hint: 'See what the session is doing with `holdfast why <id>`; `holdfast kill <id>` ends it.',
  },
  TASK_NOT_ACTIVE: {
    exit: 1,
    http: 409,
    hint: 'See what happened with `holdfast status <id>`; `holdfast logs <id>` shows the output.',
  },
  RUNTIME_EXISTS: {
    exit: 1,
    http: 409,
    hint: 'See the runtimes with `holdfast runtime list`, or choose another name for the role.',
  },
  RUNTIME_NOT_FOUND: { exit: 1, http: 404, hint: 'See the runtimes with `holdfast runtime list`.' },
  RUNTIME_NOT_READY: {
    exit: 2,
    http: 504,
    hint: 'See its screen with `holdfast screen <runtime>` and what it waits for with `holdfast why <runtime>`.',
  },
  RUNTIME_STANDS: {
    exit: 1,
    http: 409,
    hint: 'End a runtime with `holdfast runtime stop <runtime>`; `holdfast runtime rm <runtime>` forgets it.',
  },
  REGISTRY_DRIFT: {
    exit: 2,
    http: 409,
    hint: 'Nothing is to be done: it is put right within seconds. See `holdfast runtime status <runtime>`.',
  },
  FALLBACK_REQUIRED: {
    exit: 1,
    http: 409,
    hint: 'Holdfast types only into agents that it started: start it with `holdfast runtime start <role>`.',
  },
  AMBIGUOUS_ID: { exit: 1, http: 409, hint: 'Write more of the id; `holdfast list` shows the ids.' },
  ROLE_NOT_FOUND: {
    exit: 1,
    http: 404,
    hint: 'See the roles with `holdfast roles`, or write agents/<role>/<role>-agent.md.',
  },
  ROLE_INVALID: { exit: 1, http: 400, hint: 'Correct the front matter of the role file named above.' },
  AGENT_UNKNOWN: { exit: 1, http: 400, hint: 'See the known agents with `holdfast agents`.' },
  AGENT_NOT_CHOSEN: {
    exit: 1,
    http: 400,
    hint: 'Choose one with `--agent <kind>`, or set `agent:` in ~/.config/holdfast/config.yaml.',
  },
  AGENT_NOT_INSTALLED: {
    exit: 1,
    http: 409,
    hint: 'Install it as shown above, or choose another agent with `--agent`; `holdfast agents` shows which are installed.',
  },
  AGENT_TOO_OLD: {
    exit: 1,
    http: 409,
    hint: 'Install it as shown above, or choose another agent with `--agent`; `holdfast agents` shows which are installed.',
  },
  NOT_ASKING: { exit: 1, http: 409, hint: 'See what the session is doing with `holdfast status <id>`.' },
  NOT_PARKED: { exit: 1, http: 409, hint: 'See which sessions wait, and for what, with `holdfast parks`.' },
  ALREADY_ANSWERED: { exit: 1, http: 409, hint: 'See what happened next with `holdfast status <id>`.' },
  ANSWER_INVALID: {
    exit: 1,
    http: 400,
    hint: 'Answer with one of the options: give its number or its text.',
  },
  AGENT_CANNOT: {
    exit: 1,
    http: 400,
    hint: 'Do without it, or choose another agent; docs/agents.md shows what each agent can do.',
  },
  PROMPT_NOT_FOUND: { exit: 1, http: 404, hint: 'Check the path: it must lead to a file with the prompt.' },
  PROMPT_EMPTY: { exit: 1, http: 400, hint: 'Write what the agent should do.' },
  PROMPT_TOO_LARGE: {
    exit: 1,
    http: 413,
    hint: 'Put the long text into a file in the project, and name that file in the prompt.',
  },
  PROMPT_NOT_TEXT: { exit: 1, http: 400, hint: 'Save the prompt as UTF-8 text.' },
  THREAD_NOT_FOUND: { exit: 1, http: 404, hint: 'See the threads with `holdfast thread list`.' },
  THREAD_AUTO_BLOCKED: {
    exit: 1,
    http: 409,
    hint: 'A person or the orchestrator reads it with `holdfast thread show <thread>` and lets it go on with `holdfast thread continue <thread>`.',
  },
  MESSAGE_EMPTY: { exit: 1, http: 400, hint: 'Write what the others should know.' },
  MESSAGE_TOO_LARGE: {
    exit: 1,
    http: 413,
    hint: 'Put the long text into a file in the project, and name that file with `--ref`.',
  },
  MESSAGE_NOT_TEXT: { exit: 1, http: 400, hint: 'Post UTF-8 text; name other files with `--ref`.' },
  KEY_REUSED: {
    exit: 1,
    http: 409,
    hint: 'Use a key of its own for everything new; the same key always stands for the same thing.',
  },
  DIRECTORY_NOT_FOUND: { exit: 1, http: 404, hint: 'Create the directory, or choose another with `--dir`.' },
  PROJECT_NOT_WRITABLE: {
    exit: 1,
    http: 409,
    hint: 'Give yourself write access there, or work in a copy of the project with `--dir`.',
  },
  WORKSPACE_NOT_ALLOWED: {
    exit: 1,
    http: 403,
    hint: 'A person can allow it with `holdfast workspace add <dir>`.',
  },
  WORKSPACE_TOO_WIDE: {
    exit: 1,
    http: 409,
    hint: 'Go to a project first, or name one with --dir; to allow all of it, run `holdfast workspace add <dir>`.',
  },
  WORKSPACE_NOT_FOUND: { exit: 1, http: 404, hint: 'See the workspaces with `holdfast workspace list`.' },
  WORKSPACE_IN_USE: {
    exit: 1,
    http: 409,
    hint: 'End its sessions first: `holdfast list` shows them, `holdfast kill <id>` ends one.',
  },
  QUOTA_EXCEEDED: {
    exit: 1,
    http: 429,
    hint: 'Wait until a session ends (`holdfast list` shows them), or leave out `--no-queue`.',
  },
  CONFIRMATION_NEEDED: {
    exit: 1,
    http: 400,
    hint: 'Without a terminal nobody can be asked: add `--force`, or `--yes` for `holdfast trust`.',
  },
  RECURSION_REFUSED: {
    exit: 1,
    http: 403,
    hint: 'A person can start the task, or allow tasks to start tasks with `recursion.depth` in ~/.config/holdfast/config.yaml.',
  },
  NOT_ALLOWED_FOR_RUN: { exit: 1, http: 403, hint: 'A person has to do this outside the agent.' },
  TOKEN_INVALID: {
    exit: 1,
    http: 401,
    hint: 'Use the file that HOLDFAST_TOKEN_FILE names as it is; a person can see with `holdfast audit` what was refused.',
  },
  TOKEN_EXPIRED: {
    exit: 1,
    http: 401,
    hint: 'Read the token file again and repeat the request: the daemon renews the file while the run lives.',
  },
  TOKEN_VOID: {
    exit: 1,
    http: 401,
    hint: 'The run is over, so nothing can be asked in its name any more; a person can see it with `holdfast why <id>`.',
  },
  ONLY_FOR_RUNS: {
    exit: 1,
    http: 403,
    hint: 'Only the agent of a session can do this, from inside its run; `holdfast status <id>` shows a session.',
  },
  NO_DAEMON_FOR_RUN: {
    exit: 1,
    http: 503,
    hint: 'A person can start the daemon with `holdfast up`, outside the agent; agents keep working without it.',
  },
  CHANNEL_NOT_FOUND: {
    exit: 1,
    http: 404,
    hint: 'See the channels with `holdfast notify channels`; docs/notifications.md shows how to set one up.',
  },
  CHANNEL_FAILED: {
    exit: 2,
    http: 502,
    hint: 'Correct the settings of the channel, then try again with `holdfast notify test <channel>`.',
  },
  INBOUND_REFUSED: {
    exit: 1,
    http: 401,
    hint: 'The request has to be signed as docs/notifications.md shows for its channel.',
  },
  CONFIG_INVALID: {
    exit: 1,
    http: 400,
    hint: 'Correct the file named above; docs/config.md lists every key.',
  },
  STEP_NOT_FOUND: {
    exit: 1,
    http: 404,
    hint: 'Write the contract of the step to one of the places named above; see docs/verify.md.',
  },
  VERIFY_INVALID: { exit: 1, http: 400, hint: 'Correct the contract; docs/verify.md shows every check.' },
  NOT_TRUSTED: {
    exit: 1,
    http: 403,
    hint: '`holdfast trust` shows what the file would allow, and lets you approve it.',
  },
  TMUX_MISSING: {
    exit: 1,
    http: 503,
    hint: 'Install tmux (apt install tmux, brew install tmux), then run `holdfast up`.',
  },
  TMUX_TOO_OLD: { exit: 1, http: 503, hint: 'Install tmux 3.2 or later, then run `holdfast doctor`.' },
  TMUX_UNAVAILABLE: {
    exit: 2,
    http: 503,
    hint: 'Run `holdfast up` to try again now; it also says what else you can do. Headless tasks keep working meanwhile.',
  },
  HOME_NOT_WRITABLE: {
    exit: 1,
    http: 503,
    hint: 'Make the place named above writable for you, or set HOLDFAST_HOME to a directory of your own.',
  },
  HOME_UNSAFE: {
    exit: 1,
    http: 503,
    hint: 'Other users may have put files there: look first. Then run the command above, if there is one, or set HOLDFAST_HOME to a directory of your own.',
  },
  CONFIG_UNSAFE: {
    exit: 1,
    http: 503,
    hint: 'Other users may have changed the files there: look first. Then run the command above, if there is one.',
  },
  HOME_PATH_TOO_LONG: { exit: 1, http: 503, hint: 'Set HOLDFAST_HOME to a shorter path.' },
  DISK_FULL: { exit: 2, http: 507, hint: 'Free some space; Holdfast goes on by itself.' },
  STORE_CORRUPT: {
    exit: 2,
    http: 503,
    hint: 'Move holdfast.db aside and restore a backup; handoff directories are untouched.',
  },
  STORE_LOCKED: {
    exit: 2,
    http: 503,
    hint: 'Close the program that holds holdfast.db open, then try again.',
  },
  STORE_UNREACHABLE: {
    exit: 2,
    http: 503,
    hint: 'Check store.url in the config and that the database is up.',
  },
  STORE_NEWER: { exit: 1, http: 503, hint: 'Upgrade Holdfast: this store was written by a newer version.' },
  DAEMON_UNREACHABLE: {
    exit: 2,
    http: 503,
    hint: 'Start the daemon with `holdfast up`; daemon.log tells why it stopped.',
  },
  DAEMON_SILENT: {
    exit: 2,
    http: 503,
    hint: 'The daemon runs but does not answer: look at its process, or end it and run `holdfast up`.',
  },
  DAEMON_OTHER_VERSION: {
    exit: 1,
    http: 409,
    hint: 'Restart the daemon with `holdfast down && holdfast up`; running agents keep working.',
  },
  SERVICE_CONFLICT: {
    exit: 1,
    http: 409,
    hint: 'Look at the file named above; move it away if it is not needed, then try again.',
  },
  SERVICE_FAILED: {
    exit: 2,
    http: 503,
    hint: 'Run `systemctl --user status holdfast.service`, and see `holdfast service status`.',
  },
  HANDOFF_UNSAFE: {
    exit: 2,
    http: 409,
    hint: 'Something replaced the handoff directory; look at it before you remove it.',
  },
  TRIGGER_NOT_FOUND: { exit: 1, http: 404, hint: 'See the triggers with `holdfast trigger list`.' },
  TARGET_NOT_FOUND: {
    exit: 1,
    http: 404,
    hint: 'The session it was for has ended: `holdfast resume <id>` brings it back, and the prompt is sent then.',
  },
  PANE_DEAD: {
    exit: 2,
    http: 409,
    hint: 'The agent had died; it is resumed with the prompt. Follow it with `holdfast trigger show <id>`.',
  },
  SEND_KEYS_ERROR: {
    exit: 2,
    http: 503,
    hint: 'tmux could not be asked to type; it is tried again. See `holdfast doctor`.',
  },
  ACK_TIMEOUT: {
    exit: 2,
    http: 504,
    hint: 'The agent did not confirm the prompt in time. `holdfast trigger show <id>` says what follows.',
  },
  OPERATOR_BUSY: {
    exit: 2,
    http: 409,
    hint: 'Somebody types in its terminal: leave the keys alone for a while, or send or delete the unsent text there.',
  },
  TRIGGER_RATE_LIMITED: {
    exit: 2,
    http: 429,
    hint: 'Nothing is to be done: it is given to the agent when its time comes. `trigger.ratePerThread` and `trigger.ratePerAgent` say how often messages may wake agents.',
  },
  DEFER_TIMEOUT: {
    exit: 2,
    http: 409,
    hint: 'The terminal stayed in use. The prompt still waits: `holdfast attach <id>`, then send or delete the text in its box.',
  },
  RESUME_FAILED: {
    exit: 2,
    http: 409,
    hint: 'The agent was resumed with the prompt and still did not take it. A runtime gets it in a new session; elsewhere look with `holdfast why <id>`, then send it again.',
  },
  SPAWN_FAILED: {
    exit: 2,
    http: 409,
    hint: 'A new session of the runtime could not be started, or did not take the prompt either. See `holdfast why <id>` and `holdfast screen <id>`, then answer its question or send the prompt again.',
  },
  ACK_REFUSED: {
    exit: 1,
    http: 403,
    hint: 'A prompt is acknowledged by the run that received it, or by the run that resumed it.',
  },
  LOGIN_REQUIRED: {
    exit: 1,
    http: 401,
    hint: 'Open the page with a new link from `holdfast web`; programs need a token from `holdfast web token <name>`.',
  },
  LOGIN_LINK_VOID: {
    exit: 1,
    http: 401,
    hint: 'A link works once, and for two minutes: get a new one with `holdfast web`.',
  },
  CROSS_SITE_REFUSED: {
    exit: 1,
    http: 403,
    hint: 'Use the address that `holdfast web` prints. A name of your own for this machine goes into `server.hosts`.',
  },
  ONLY_BY_COMMAND: {
    exit: 1,
    http: 403,
    hint: 'Use the command line on the machine itself: `holdfast --help --all` lists the commands.',
  },
  RATE_LIMITED: { exit: 2, http: 429, hint: 'Wait as long as the header `retry-after` says, then go on.' },
  PORT_TAKEN: {
    exit: 1,
    http: 409,
    hint: 'Choose another port with `holdfast web --port <port>`, or `server.port` in your settings.',
  },
  NOT_LOOPBACK: {
    exit: 1,
    http: 400,
    hint: 'From another machine use `ssh -L <port>:127.0.0.1:<port> <this machine>`. If others really should reach it: `holdfast web --allow-remote`.',
  },
  WEB_TOKEN_EXISTS: {
    exit: 1,
    http: 409,
    hint: 'Choose another name, or revoke the old one with `holdfast web revoke <name>`.',
  },
  WEB_TOKEN_NOT_FOUND: { exit: 1, http: 404, hint: 'See the tokens with `holdfast web tokens`.' },
  INTERRUPTED: { exit: 130, http: 499, hint: 'Nothing was stopped; the task goes on. See `holdfast list`.' },
  INTERNAL: { exit: 2, http: 500, hint: 'This is a bug in Holdfast: please report it with daemon.log.' },
} as const
export type ErrorCode = keyof typeof errorCatalogue
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorCatalogue, value)

export const WAYS_OUT = ['answer', 'finish', 'kill', 'resume', 'retry', 'send'] as const
/** What can be done with the session instead. The CLI shows it as a command line. */
export type WayOut = { readonly do: (typeof WAYS_OUT)[number]; readonly id: string }
export const waysOut = (id: string, ...ways: WayOut['do'][]): WayOut[] => ways.map((way) => ({ do: way, id }))

export class HoldfastError extends Error {
  readonly code: ErrorCode
  readonly waysOut: readonly WayOut[]
  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { readonly waysOut?: readonly WayOut[] } = {},
  ) {
    super(message, options)
    this.name = 'HoldfastError'
    this.code = code
    this.waysOut = options.waysOut ?? []
  }

  /** By name: the CLI is built as several files, and each has its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): value is HoldfastError {
    return value instanceof Error && value.name === 'HoldfastError'
  }
}

export const isHoldfastError = (error: unknown, ...codes: ErrorCode[]): error is HoldfastError =>
  error instanceof HoldfastError && (codes.length === 0 || codes.includes(error.code))

export const asHoldfastError = (error: unknown): HoldfastError =>
  isHoldfastError(error) ? error : new HoldfastError('INTERNAL', messageOf(error), { cause: error })

/** The message of whatever was thrown, also when that is not an Error. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
