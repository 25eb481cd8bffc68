// Owns every error a person or program can meet: exit code, HTTP status and the way out. docs/errors.md explains each.

export const errorCatalogue = {
  USAGE: { exit: 1, http: 400, hint: 'See `holdfast --help` or `holdfast <command> --help`.' },
  INVALID_REQUEST: { exit: 1, http: 400, hint: 'Compare the request with docs/json-output.md.' },
  INVALID_NAME: { exit: 1, http: 400, hint: 'Choose another name, for example `fix-login.2`.' },
  INVALID_ID: { exit: 1, http: 400, hint: 'Copy the id from `holdfast list`.' },
  INVALID_STATUS_FILTER: { exit: 1, http: 400, hint: 'Use CREATED, RUNNING, COMPLETED, FAILED or KILLED.' },
  INVALID_TRANSITION: { exit: 1, http: 409, hint: 'Look at its state with `holdfast status <id>`.' },
  TRANSITION_CONFLICT: {
    exit: 2,
    http: 409,
    hint: 'Somebody else changed it first: look again with `holdfast status <id>`.',
  },
  STALE_EPOCH: {
    exit: 2,
    http: 503,
    hint: 'A newer daemon holds this store; stop the old one with `holdfast down`.',
  },
  TASK_NOT_FOUND: { exit: 1, http: 404, hint: 'See what exists with `holdfast list`.' },
  TASK_EXISTS: { exit: 1, http: 409, hint: 'Give the task another `--name`.' },
  TASK_ACTIVE: {
    exit: 1,
    http: 409,
    hint: 'See what it does with `holdfast why <id>`; `holdfast kill <id>` ends it.',
  },
  TASK_NOT_ACTIVE: { exit: 1, http: 409, hint: 'Read what it left with `holdfast logs <id>`.' },
  AMBIGUOUS_ID: { exit: 1, http: 409, hint: 'Write more of the id; `holdfast list` shows them whole.' },
  ROLE_NOT_FOUND: {
    exit: 1,
    http: 404,
    hint: 'See the roles with `holdfast roles`, or write agents/<role>/<role>-agent.md.',
  },
  ROLE_INVALID: { exit: 1, http: 400, hint: 'Correct the front matter of the role file named above.' },
  AGENT_UNKNOWN: { exit: 1, http: 400, hint: 'See the kinds with `holdfast agents`.' },
  AGENT_NOT_CHOSEN: {
    exit: 1,
    http: 400,
    hint: 'Say which with `--agent <kind>`, or set `agent:` in ~/.config/holdfast/config.yaml.',
  },
  AGENT_NOT_INSTALLED: {
    exit: 1,
    http: 409,
    hint: 'Install it as said above, or choose another with `--agent`; `holdfast agents` shows what is there.',
  },
  NOT_ASKING: { exit: 1, http: 409, hint: 'See what it is doing with `holdfast status <id>`.' },
  NOT_PARKED: { exit: 1, http: 409, hint: 'See who waits for what with `holdfast parks`.' },
  ALREADY_ANSWERED: { exit: 1, http: 409, hint: 'See what came of it with `holdfast status <id>`.' },
  ANSWER_INVALID: { exit: 1, http: 400, hint: 'Choose one of its options, by number or by its words.' },
  AGENT_CANNOT: { exit: 1, http: 400, hint: 'Leave the option out, or choose another agent.' },
  PROMPT_NOT_FOUND: { exit: 1, http: 404, hint: 'Check the path; prompts are read as files.' },
  PROMPT_EMPTY: { exit: 1, http: 400, hint: 'Write what the agent should do.' },
  PROMPT_TOO_LARGE: {
    exit: 1,
    http: 413,
    hint: 'Put the material into a file of the project and let the prompt point to it.',
  },
  PROMPT_NOT_TEXT: { exit: 1, http: 400, hint: 'Save the prompt as UTF-8 text.' },
  DIRECTORY_NOT_FOUND: { exit: 1, http: 404, hint: 'Create the directory, or choose another with `--dir`.' },
  WORKSPACE_NOT_ALLOWED: {
    exit: 1,
    http: 403,
    hint: 'A person allows it with `holdfast workspace add <dir>`.',
  },
  WORKSPACE_NOT_FOUND: { exit: 1, http: 404, hint: 'See the workspaces with `holdfast workspace list`.' },
  WORKSPACE_IN_USE: { exit: 1, http: 409, hint: 'End its tasks first: `holdfast list`.' },
  QUOTA_EXCEEDED: {
    exit: 1,
    http: 429,
    hint: 'Wait for one to end (`holdfast list`), or leave out `--no-queue`.',
  },
  CONFIRMATION_NEEDED: {
    exit: 1,
    http: 400,
    hint: 'Without a terminal, say `--force` (kill) or `--yes` (trust).',
  },
  RECURSION_REFUSED: {
    exit: 1,
    http: 403,
    hint: 'A person may start it, or allow it with `recursion.depth` in ~/.config/holdfast/config.yaml.',
  },
  NOT_ALLOWED_FOR_RUN: { exit: 1, http: 403, hint: 'A person has to do this outside the agent.' },
  CONFIG_INVALID: {
    exit: 1,
    http: 400,
    hint: 'Correct the file named above; docs/config.md lists every key.',
  },
  STEP_NOT_FOUND: {
    exit: 1,
    http: 404,
    hint: 'Write its contract to one of the places named above; see docs/verify.md.',
  },
  VERIFY_INVALID: { exit: 1, http: 400, hint: 'Correct the contract; docs/verify.md shows every check.' },
  NOT_TRUSTED: {
    exit: 1,
    http: 403,
    hint: 'Look at what the file would allow, and approve it, with `holdfast trust`.',
  },
  TMUX_MISSING: {
    exit: 1,
    http: 503,
    hint: 'Install tmux (apt install tmux, brew install tmux), then run `holdfast doctor`.',
  },
  TMUX_TOO_OLD: { exit: 1, http: 503, hint: 'Install tmux 3.2 or later, then run `holdfast doctor`.' },
  TMUX_UNAVAILABLE: {
    exit: 2,
    http: 503,
    hint: 'Look at `holdfast doctor` and daemon.log; running headless tasks go on.',
  },
  HOME_NOT_WRITABLE: {
    exit: 1,
    http: 503,
    hint: 'Make it writable, or set HOLDFAST_HOME to a directory of your own.',
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
    hint: 'Start it with `holdfast up`; daemon.log tells why it stopped.',
  },
  DAEMON_SILENT: {
    exit: 2,
    http: 503,
    hint: 'It holds the lock but does not answer: look at the process, or end it and run `holdfast up`.',
  },
  DAEMON_OTHER_VERSION: {
    exit: 1,
    http: 409,
    hint: 'Restart it with `holdfast down && holdfast up`; running agents go on.',
  },
  SERVICE_CONFLICT: {
    exit: 1,
    http: 409,
    hint: 'Look at the file named above; move it away if it is not needed, then try again.',
  },
  SERVICE_FAILED: {
    exit: 2,
    http: 503,
    hint: 'Ask `systemctl --user status holdfast.service`, and see `holdfast service status`.',
  },
  HANDOFF_UNSAFE: {
    exit: 2,
    http: 409,
    hint: 'Something replaced the handoff directory; look at it before you remove it.',
  },
  INTERRUPTED: { exit: 130, http: 499, hint: 'Nothing was stopped; the task goes on. See `holdfast list`.' },
  INTERNAL: { exit: 2, http: 500, hint: 'This is a bug in Holdfast: please report it with daemon.log.' },
} as const
export type ErrorCode = keyof typeof errorCatalogue
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorCatalogue, value)

export class HoldfastError extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'HoldfastError'
    this.code = code
  }
}

export const isHoldfastError = (error: unknown, ...codes: ErrorCode[]): error is HoldfastError =>
  error instanceof HoldfastError && (codes.length === 0 || codes.includes(error.code))

/** What went wrong, as text, for logs and reasons. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
