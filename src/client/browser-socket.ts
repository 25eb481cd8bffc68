import type { OpenSocket, TerminalSocket } from './terminal.ts'

type Page = {
  readonly location: { readonly origin: string }
  readonly WebSocket: new (address: string) => TerminalSocket
}

/** To the daemon at this address, or to the one that served the page. The browser sends its cookie along. */
export const browserSocket =
  (url?: string): OpenSocket =>
  (path) => {
    const { location, WebSocket } = globalThis as unknown as Page
    return new WebSocket(`${(url ?? location.origin).replace(/\/$/, '').replace(/^http/, 'ws')}${path}`)
  }
