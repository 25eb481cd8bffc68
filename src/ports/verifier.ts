import type { TaskId } from '../domain/names/ids.ts'
import type { VerifyContract } from '../domain/verify/contract.ts'

/** What a contract is held against. */
export type Subject = {
  /** Whose work: verifications of the same happen one after the other. */
  readonly whose: string
  /** Names this verification: called again with the same name, it goes on where an earlier daemon left it. `[a-z0-9-]`. */
  readonly name: string
  readonly taskId: TaskId
  /** Absolute. Nothing outside it is looked at, and commands run in it. */
  readonly dir: string
  /** The text of the task's result; undefined when there is none. */
  readonly result: string | undefined
  /** The whole environment of the commands. */
  readonly env: Readonly<Record<string, string>>
  /** Where commands find the handoff directory, and where people look for output. */
  readonly sessionDir: string
  readonly outputLog: string
}

export type CheckResult = {
  /** The check, in a few words. */
  readonly check: string
  readonly ok: boolean
  /** Null when it is ok. */
  readonly why: string | null
  /** The end of what a failed command printed, secrets taken out. Empty otherwise. */
  readonly output: string
}

export type Verified = {
  readonly verified: boolean
  /** In the order of the contract. All of them are done, also after a failure. */
  readonly checks: readonly CheckResult[]
  /** Of the failures and of all that was looked at: before the commands ran, and after, as they write too. */
  readonly found: string
  readonly left: string
}

/** Holds work against a contract. */
export interface Verifier {
  /** VERIFY_INVALID for a contract that it could not check, such as a schema with a keyword it does not know. */
  accept(contract: VerifyContract): void
  /**
   * While one of this name is going on, that one is meant. Never throws because of what it looks at. A command that an earlier daemon started is waited for, or ended, before
   * it starts again. When aborted, running commands are ended, and it rejects.
   */
  verify(contract: VerifyContract, subject: Subject, signal?: AbortSignal): Promise<Verified>
  /** The outcome is stored: what lies on disk of that verification goes. */
  forget(whose: string, name: string): Promise<void>
  /** The same for all but these, for a daemon that starts: their commands are ended. */
  forgetOthers(kept: readonly Pick<Subject, 'whose' | 'name'>[]): Promise<void>
}
