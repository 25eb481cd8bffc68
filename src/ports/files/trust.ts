import type { Approval } from '../../domain/settings/approval.ts'

/** A file of a project that executes something or widens what agents may do. */
export type Claim = {
  readonly file: string
  readonly sha256: string
  /** Everything that the file would allow, one line each. */
  readonly allows: readonly string[]
  readonly approval: Approval
}

/** Which files a person approved, with their content. The approvals are stored outside of all projects. */
export interface Trust {
  approval(file: string, sha256: string): Promise<Approval>
  /** Replaces an earlier approval of the same file. */
  approve(file: string, sha256: string, by: string): Promise<void>
  /**
   * Revokes the approval of the file, or of all files below the directory, whether they exist or not. Returns the files
   * that had one.
   */
  revoke(path: string): Promise<string[]>
}
