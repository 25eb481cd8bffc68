// Owns what a driver reads from a screen.
import { redactSecrets } from '../../domain/text/redact-secrets.ts'

/** What a pane shows. */
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

/** What a screen means. A reading never proves that the agent is alive: a dead process leaves its last screen behind. */
export type ScreenReading = {
  readonly phase: ScreenPhase
  /** The line of the screen that shows the phase. */
  readonly evidence: string
  /** The text in the box that is typed but not sent; null when the box is empty or cannot be seen. */
  readonly draft: string | null
  readonly question: { readonly text: string; readonly options: readonly string[] } | null
  readonly limit: { readonly message: string; readonly until: string | null } | null
  /** A person stopped the agent's turn. */
  readonly interrupted?: boolean
  /**
   * The lines of the conversation, without the box and what belongs to the box. Absent if the driver cannot tell them
   * apart.
   */
  readonly said?: readonly string[]
  /** Another program has the terminal: what is typed goes there, whatever the agent reports about its own state. */
  readonly isElsewhere?: true
  /** The agent's session id, if the screen shows it. */
  readonly session?: string
}

/** No turn is going on, and the box takes keys. Also after a failure or at a limit, which is shown above the box. */
export const isAtRest = ({ phase }: Pick<ScreenReading, 'phase'>) =>
  phase === 'idle' || phase === 'error' || phase === 'limit'

/** A reading with a phase and its evidence. The rest is empty, except what `more` gives. */
export const reading = (
  phase: ScreenPhase,
  evidence: string,
  more: Partial<Omit<ScreenReading, 'phase' | 'evidence'>> = {},
): ScreenReading => ({ phase, evidence, draft: null, question: null, limit: null, ...more })

/** What the dialog on the screen says; undefined when there is none. */
export const dialogIn = ({ phase, question, evidence }: ScreenReading): string | undefined =>
  phase === 'asking' ? (question?.text ?? evidence) : undefined

/**
 * The reading as it may be stored and shown. The original reading keeps what the screen shows: drafts and dialogs are
 * compared with it before something is typed. `said` is cleaned as a whole, where it is written.
 */
export const readingWithoutSecrets = (seen: ScreenReading): ScreenReading => ({
  ...seen,
  evidence: redactSecrets(seen.evidence),
  question: seen.question && {
    text: redactSecrets(seen.question.text),
    options: seen.question.options.map(redactSecrets),
  },
  limit: seen.limit && { ...seen.limit, message: redactSecrets(seen.limit.message) },
})
