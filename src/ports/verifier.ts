// Owns what the core asks of whoever checks work against a contract.
import type { TaskId } from '../domain/names/ids.ts'
import type { VerifyContract } from '../domain/verify/contract.ts'

/** The work that is checked against a contract. */
export type Subject = {
  /** Whose work it is. Verifications with the same `whose` happen one after the other. */
  readonly whose: string
  /**
   * The name of this verification, `[a-z0-9-]`. With the same name, a verification goes on where an earlier daemon
   * stopped.
   */
  readonly name: string
  readonly taskId: TaskId
  /** Absolute path. Commands run in this directory, and nothing outside of it is looked at. */
  readonly dir: string
  /** The text of the task's result; undefined when there is none. */
  readonly result: string | undefined
  /** The whole environment of the commands. */
  readonly env: Readonly<Record<string, string>>
  /** The handoff directory, for commands; and the log in which people look for output. */
  readonly sessionDir: string
  readonly outputLog: string
}

export type CheckResult = {
  /** The check, in a few words. */
  readonly check: string
  readonly ok: boolean
  /** Why the check failed; null when it passed. */
  readonly why: string | null
  /** The end of the output of a failed command, without secrets. Empty otherwise. */
  readonly output: string
}

export type Verified = {
  readonly verified: boolean
  /** In the order of the contract. All checks are done, also after a failure. */
  readonly checks: readonly CheckResult[]
  /**
   * Fingerprints of the failures and of everything that was looked at: `found` before the checks, `left` after them. The
   * two may differ, because commands may write files.
   */
  readonly found: string
  readonly left: string
}

/** Checks work against a contract. */
export interface Verifier {
  /** Throws VERIFY_INVALID for a contract that cannot be checked, such as a schema with an unknown keyword. */
  accept(contract: VerifyContract): void
  /**
   * While a verification of this name is going on, returns that one. Bad work never makes it throw. A command that an
   * earlier daemon started is waited for, or ended, before it is started again. An abort ends running commands and
   * rejects.
   */
  verify(contract: VerifyContract, subject: Subject, signal?: AbortSignal): Promise<Verified>
  /** Called when the outcome is stored. Deletes what the verification left on disk. */
  forget(whose: string, name: string): Promise<void>
  /**
   * For a daemon that starts: ends the commands of all verifications except these, and deletes what they left on disk.
   */
  forgetOthers(kept: readonly Pick<Subject, 'whose' | 'name'>[]): Promise<void>
}
