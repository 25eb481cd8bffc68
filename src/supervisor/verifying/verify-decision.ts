// Owns what follows a verification: a pure function of what it found and what earlier verifications found.

import type { Verification } from '../../domain/task/task.ts'
import { MOST_FAILURES_KEPT } from '../../domain/verify/contract.ts'
import type { CheckResult, Verified } from '../../ports/verifier.ts'

/** How often an agent is sent back at most. */
const MOST_ROUNDS = 2

export type VerifyDecision = {
  readonly kind: 'completed' | 'resume' | 'failed'
  readonly reason: string
  /** What is stored of this verification. */
  readonly verification: Verification
}

/** The agent is sent back at most twice, and only while something changes between two verifications. */
export function decideVerification(
  earlier: Verification | null,
  { verified, checks, found, left }: Verified,
  at: number,
): VerifyDecision {
  const failures = failuresOf(checks)
  const rounds = earlier?.rounds ?? 0
  const stored = { verified, rounds, fingerprint: left, failures, at }
  if (verified)
    return {
      kind: 'completed',
      reason: 'the agent finished, and its work passed verification',
      verification: stored,
    }
  const words = failures.join('; ')
  const nothingChanged = rounds > 0 && earlier?.fingerprint === found
  if (rounds >= MOST_ROUNDS || nothingChanged) {
    const why = nothingChanged ? 'nothing changed since it was sent back' : `sent back ${rounds} times`
    return { kind: 'failed', reason: `incomplete: ${words} (${why})`, verification: stored }
  }
  return {
    kind: 'resume',
    reason: `not verified, sent back: ${words}`,
    verification: { ...stored, rounds: rounds + 1 },
  }
}

const failuresOf = (checks: readonly CheckResult[]) =>
  checks
    .filter(({ ok }) => !ok)
    .slice(0, MOST_FAILURES_KEPT)
    .map(({ check, why }) => `${check}: ${why}`)
