// Owns what it means to be inside a tmux already.

export type Nesting = 'none' | 'popup' | 'pane' | 'own_server'

type Env = Readonly<Record<string, string | undefined>>

/** A popup gets all keys itself. In a pane the tmux around it takes the first Ctrl-B. */
export function nestingOf({ TMUX, TMUX_PANE }: Env, holdfastSocket: string): Nesting {
  const socket = TMUX?.split(',')[0]
  if (!socket) return 'none'
  if (socket === holdfastSocket) return 'own_server'
  return TMUX_PANE ? 'pane' : 'popup'
}
