import { redactSecrets } from '../text/redact-secrets.ts'

/** The facts a decision was made from, strongest source first (DESIGN: the exit record proves that a run ended, the agent's own result says how). */
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
