// Owns the facts on which a decision is based, and where each was seen.
import { redactSecrets } from '../text/redact-secrets.ts'

/** Where a fact comes from, the most reliable source first: the exit record proves that a run ended, the agent says how. */
export type EvidenceSource =
  | 'exit_record'
  | 'agent'
  | 'verifier'
  | 'process'
  | 'screen'
  | 'tmux'
  | 'clock'
  | 'person'
  | 'store'
export type Evidence = { readonly source: EvidenceSource; readonly fact: string }

export const saw = (source: EvidenceSource, fact: string): Evidence => ({ source, fact: redactSecrets(fact) })
