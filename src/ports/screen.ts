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
  /** The lines of what was said and done, without the box and what belongs to it; where the driver can tell. */
  readonly said?: readonly string[]
  /** Something else has the terminal: what the agent itself tells of its state says nothing about what is typed here. */
  readonly isElsewhere?: true
  /** Its session id, where the agent shows it. */
  readonly session?: string
}

/** No turn is on. Also after a failure or at a limit: what went wrong stands above the box, and the box takes keys. */
export const isAtRest = ({ phase }: Pick<ScreenReading, 'phase'>) =>
  phase === 'idle' || phase === 'error' || phase === 'limit'

/** A reading of which only the phase is known. */
export const reading = (
  phase: ScreenPhase,
  evidence: string,
  more: Partial<Omit<ScreenReading, 'phase' | 'evidence'>> = {},
): ScreenReading => ({ phase, evidence, draft: null, question: null, limit: null, ...more })
