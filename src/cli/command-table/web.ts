// Commands for the page, and for programs that use the HTTP API over TCP.
import type { Command, Loading } from '../command.ts'

export const webCommands = [
  {
    name: 'web',
    summary: 'Open the page in a browser: prints a link that works once, for two minutes.',
    details:
      'The daemon listens on 127.0.0.1 from then on, also after a restart, until `--stop`. Nobody gets in without a link or a token.',
    arguments: [],
    options: [
      { name: 'port', value: 'PORT', about: 'The port to listen on.', default: 'as before, else 4949' },
      { name: 'host', value: 'ADDRESS', about: 'The address to listen on.', default: '127.0.0.1' },
      {
        name: 'allow-remote',
        about: 'Allow an address that other machines can reach. What they send is not encrypted.',
      },
      { name: 'no-open', about: 'Only print the link.' },
      { name: 'stop', about: 'Close the port. Pages that are open lose their connection.' },
    ],
    examples: ['holdfast web', 'holdfast web --port 8080 --no-open', 'holdfast web --stop'],
    load: (): Loading => import('../commands/set-up/web.ts').then((m) => m.web),
  },
  {
    name: 'web token',
    summary: 'Make a token with which a program may use the HTTP API over TCP. It is shown once.',
    arguments: [{ name: 'name', about: 'What it is for, such as ci.' }],
    options: [
      {
        name: 'expires',
        value: 'TIME',
        about: 'How long it is valid, such as 30d.',
        kind: 'duration',
        default: 'until it is revoked',
      },
    ],
    examples: ['holdfast web token ci --expires 30d'],
    load: (): Loading => import('../commands/set-up/web-tokens.ts').then((m) => m.makeToken),
  },
  {
    name: 'web tokens',
    summary: 'List the tokens for programs.',
    arguments: [],
    options: [],
    examples: ['holdfast web tokens'],
    load: (): Loading => import('../commands/set-up/web-tokens.ts').then((m) => m.listTokens),
  },
  {
    name: 'web revoke',
    summary: 'Revoke a token. It is refused from then on.',
    arguments: [{ name: 'name', about: 'Its name.' }],
    options: [],
    examples: ['holdfast web revoke ci'],
    load: (): Loading => import('../commands/set-up/web-tokens.ts').then((m) => m.revokeToken),
  },
] as const satisfies readonly Command[]
