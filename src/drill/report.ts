// Owns the JSON report of the drill. docs/json-output.md describes it.
import { median } from './measure.ts'
import type { DrillAgent } from './work.ts'

export type BlowJson = {
  readonly name: string
  readonly about: string
  readonly verdict: 'pass' | 'fail' | 'skipped'
  /** From the blow until it was noticed. */
  readonly detect_ms: number | null
  /** From the blow until the process started that finished the work; null when the agent lived on. */
  readonly resume_ms: number | null
  readonly lost: readonly string[]
  /** Why it was skipped. */
  readonly why: string | null
}

export type DrillJson = {
  readonly ok: boolean
  readonly agent: DrillAgent
  readonly blows: readonly BlowJson[]
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly median_detect_ms: number | null
  readonly median_resume_ms: number | null
  /** With --keep: where the scratch homes are. */
  readonly kept: string | null
}

export function reportOf(agent: DrillAgent, blows: readonly BlowJson[], kept: string | null): DrillJson {
  const count = (verdict: BlowJson['verdict']) => blows.filter((blow) => blow.verdict === verdict).length
  return {
    ok: count('fail') === 0,
    agent,
    blows,
    passed: count('pass'),
    failed: count('fail'),
    skipped: count('skipped'),
    median_detect_ms: median(blows.map(({ detect_ms }) => detect_ms)),
    median_resume_ms: median(blows.map(({ resume_ms }) => resume_ms)),
    kept,
  }
}
