// Owns what a person's approval of a project file means: only an approved file may execute something, or widen what agents
// may do.
import { HoldfastError } from '../errors.ts'

/**
 * `own`: the user's own file, which needs no approval. For a project's file: `approved` with exactly this content,
 * `changed` since it was approved, or `new`, which means never approved.
 */
export type Approval = 'own' | 'approved' | 'changed' | 'new'

export const mayWiden = (approval: Approval) => approval === 'own' || approval === 'approved'

export const approvalText = (approval: Approval) =>
  approval === 'changed' ? 'changed since it was approved' : approval === 'new' ? 'not approved' : 'approved'

/** `what`: a clause that says what the file would do, such as `'verify' would run commands`. */
export const notTrusted = (file: string, what: string, approval: Approval) =>
  new HoldfastError('NOT_TRUSTED', `${file}: ${what}; the file is ${approvalText(approval)}.`)
