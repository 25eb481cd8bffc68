// What can go wrong with the TCP port, its links and tokens. A part of the catalogue.

export const webErrors = {
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
    hint: 'Use the address that `holdfast web` prints. A name of your own for this machine goes into `server.hosts`, a web page of your own that has a token into `server.origins`.',
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
  TERMINAL_LIBRARY_MISSING: {
    exit: 1,
    http: 501,
    hint: 'Install Holdfast with its optional packages: `npm install --include=optional`. Without it the page shows the screen as text, and `holdfast attach <id>` works as always.',
  },
  TOO_MANY_TERMINALS: {
    exit: 1,
    http: 429,
    hint: 'Close pages that show a live terminal.',
  },
} as const
