// Owns the JSON of live terminals.

/** A live terminal can be opened, with these sizes. `may_type`: false for a run. */
export type TerminalJson = { session_id: string; columns: number; rows: number; may_type: boolean }

/** Text messages of the daemon on the WebSocket. Binary ones are the bytes of the terminal. */
export type TerminalMessage =
  /** `status_lines`: how many of the rows, at the bottom, are tmux's own and not the agent's. */
  | { type: 'size'; columns: number; rows: number; status_lines: number }
  /** `gone`: the pane is closed; `slow`: the reader took nothing for too long. */
  | { type: 'end'; why: 'gone' | 'stopping' | 'not_allowed' | 'slow' }
