// Errors of what is allowed: places, limits, runs and their tokens, settings and contracts. A part of the catalogue.

export const permissionErrors = {
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
    hint: 'End what has its place there first: `holdfast list --runtimes` shows it, `holdfast kill <id>` ends a session, `holdfast runtime rm <runtime>` removes a runtime.',
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
  CONFIG_INVALID: {
    exit: 1,
    http: 400,
    hint: 'Correct the setting, or the file if one is named above; docs/config.md lists every key.',
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
} as const
