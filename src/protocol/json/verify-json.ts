// Owns the JSON of verifications.

/** `why`: the reason of a failed check; null when `ok`. `output`: the end of what a failed command printed. */
export type CheckJson = { check: string; ok: boolean; why: string | null; output: string }
/** `env`: the caller's environment, for a task that has ended and has none any more. */
export type VerifyJson = { env?: Record<string, string> }
export type VerifiedJson = { session_id: string; verified: boolean; checks: CheckJson[] }
/** Paths are absolute. `allow_dir` as for a task. */
export type VerifyStepJson = {
  step: string
  story: string
  dir: string
  state_file?: string
  env?: Record<string, string>
  allow_dir?: boolean
}
/** `source`: the file that holds the contract. */
export type StepVerifiedJson = {
  step: string
  story: string
  source: string
  verified: boolean
  checks: CheckJson[]
}
