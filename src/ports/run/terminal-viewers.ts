import type { PtySize } from './pty.ts'

/** `statusLines`: how many of the rows, at the bottom, are tmux's own. */
export type ViewerSize = PtySize & { readonly statusLines: number }

/**
 * Somebody who looks at a pane as in a terminal. The pane keeps its size, whatever the viewer does.
 * It begins paused: nothing is lost before `resume`.
 */
export type Viewer = {
  readonly size: ViewerSize
  /** What the viewer's terminal is to show. */
  onData(hear: (bytes: Uint8Array) => void): void
  /** The pane has another size now: so has the viewer's terminal. */
  onSize(hear: (size: ViewerSize) => void): void
  /** Once: the pane is gone, or `end` was called. */
  onEnd(hear: () => void): void
  /** Keys for the pane. Dropped when the viewer only looks. */
  type(bytes: Uint8Array): void
  pause(): void
  resume(): void
  end(): void
}

export type ViewerSpec = {
  readonly task: string
  /** The mark of its pane. */
  readonly mark: string
  /** Keys reach the pane, and count as those of a person at it. */
  readonly typing: boolean
}

/** Opens views of panes. Both throw TERMINAL_LIBRARY_MISSING, and give undefined when no pane carries the mark. */
export interface TerminalViewers {
  /** The size that the viewer's terminal will have. */
  sizeOf(pane: Pick<ViewerSpec, 'task' | 'mark'>): Promise<PtySize | undefined>
  open(spec: ViewerSpec): Promise<Viewer | undefined>
}
