import { panesContract } from './terminal/panes.ts'
import { placesContract } from './terminal/places.ts'
import { serverContract } from './terminal/server.ts'
import type { StartTerminal } from './terminal/terminal-world.ts'
import { typingContract } from './terminal/typing.ts'

/** Every Terminal passes this: tmux, and the one in memory. */
export function terminalContract(start: StartTerminal): void {
  panesContract(start)
  placesContract(start)
  typingContract(start)
  serverContract(start)
}
