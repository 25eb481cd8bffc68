/** What a pane shows, as far as the terminal can tell. */
export type ScreenView = {
  readonly text: string
  readonly title?: string
  readonly cursor?: { readonly x: number; readonly y: number }
}

export type ScreenPhase =
  | 'starting'
  | 'idle'
  | 'working'
  | 'asking'
  | 'error'
  | 'limit'
  | 'exited'
  | 'unknown'

/** What it means, and the line that says so. A dead process leaves its last frame: a reading never proves life. */
export type ScreenReading = {
  readonly phase: ScreenPhase
  readonly evidence: string
  /** Typed but not sent; null when the box is empty or not to be seen. */
  readonly draft: string | null
  readonly question: { readonly text: string; readonly options: readonly string[] } | null
  readonly limit: { readonly message: string; readonly until: string | null } | null
  /** A person stopped its turn. */
  readonly interrupted?: boolean
  /** Its session id, where the agent shows it. */
  readonly session?: string
}

/** A reading of which only the phase is known. */
export const reading = (
  phase: ScreenPhase,
  evidence: string,
  more: Partial<Omit<ScreenReading, 'phase' | 'evidence'>> = {},
): ScreenReading => ({ phase, evidence, draft: null, question: null, limit: null, ...more })
