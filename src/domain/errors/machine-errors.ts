// Errors of what Holdfast stands on: tmux, disk, store, daemon, service. A part of the catalogue.

export const machineErrors = {
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
  TERMINAL_BUSY: {
    exit: 2,
    http: 409,
    hint: 'See its screen with `holdfast screen <id>`. If somebody looks through the history of its pane, `q` leaves it.',
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
} as const
