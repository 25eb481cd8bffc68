import { connect } from 'node:net'
import type { OpenSocket, TerminalSocket } from './terminal.ts'

type To = { readonly url: string } | { readonly socketPath: string }

/** Opens WebSockets in Node by the package `ws`: Node's own WebSocket sends no headers, and knows no unix sockets. */
export const nodeSocket =
  (to: To, headers: Readonly<Record<string, string>>): OpenSocket =>
  async (path) => {
    // Loaded by those alone who open a terminal.
    const { WebSocket } = await import('ws')
    const [base, how] =
      'url' in to
        ? [to.url.replace(/\/$/, '').replace(/^http/, 'ws'), {}]
        : ['ws://localhost', { createConnection: () => connect(to.socketPath) }]
    return new WebSocket(`${base}${path}`, { headers, ...how }) as unknown as TerminalSocket
  }
