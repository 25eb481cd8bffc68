// Errors of requests, of sessions and of orders for them. A part of the catalogue.

export const sessionErrors = {
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
  OTHER_NODE: {
    exit: 1,
    http: 409,
    hint: 'Do it on the machine named above, with the HOLDFAST_HOME of that daemon.',
  },
  NODE_SILENT: {
    exit: 2,
    http: 503,
    hint: 'Run `holdfast up` on the machine named above: its daemon then carries the order out. A kill waits for ever, other orders for a day.',
  },
  EVENT_LOOP: {
    exit: 2,
    http: 409,
    hint: 'The event was set aside: look at it with `holdfast journal show`.',
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
} as const
