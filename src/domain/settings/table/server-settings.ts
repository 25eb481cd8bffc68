// Settings of the TCP port. A part of the table in domain/settings/config.ts.

import { boolean, hostNames, text, webOrigins, whole } from '../setting-kinds.ts'
import { setting } from './setting.ts'

export const serverSettings = {
  'server.port': setting(
    0,
    'daemon',
    whole(0, 65_535),
    'The TCP port of the page and the HTTP API. 0: none, until the command `web` opens one.',
  ),
  'server.host': setting(
    '127.0.0.1',
    'daemon',
    text,
    'The address to listen on. Any other than a loopback address needs `server.allowRemote`.',
  ),
  'server.allowRemote': setting(
    false,
    'daemon',
    boolean,
    'Allow an address that other machines can reach. What they send is not encrypted: `ssh -L` is safer.',
  ),
  'server.hosts': setting(
    [],
    'daemon',
    hostNames,
    'Names of your own by which browsers may reach the page, beside localhost and its addresses.',
  ),
  'server.origins': setting(
    [],
    'daemon',
    webOrigins,
    'Origins of web pages of your own that may use the HTTP API with a token, such as `http://localhost:5173`.',
  ),
} as const
