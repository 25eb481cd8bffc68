import type { Approval } from '../domain/settings/approval.ts'

/** A project's file that executes something or widens what agents may do. */
export type Claim = {
  readonly file: string
  readonly sha256: string
  /** All that it would allow, a line each. */
  readonly allows: readonly string[]
  readonly approval: Approval
}

/** Which files a person approved, by content. Nothing of it lies in a project. */
export interface Trust {
  approval(file: string, sha256: string): Promise<Approval>
  /** Takes the place of an earlier approval of the same file. */
  approve(file: string, sha256: string, by: string): Promise<void>
  /** Of the file, or of all below the directory, there or not: those that were approved. */
  revoke(path: string): Promise<string[]>
}
