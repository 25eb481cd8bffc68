// Owns what a person's approval of a file means: only then it may execute something, or widen what agents may do.
import { HoldfastError } from '../errors.ts'

/** `own`: the user's file, which needs none. A project's was approved with this content, with another, or never. */
export type Approval = 'own' | 'approved' | 'changed' | 'new'

export const mayWiden = (approval: Approval) => approval === 'own' || approval === 'approved'

export const approvalText = (approval: Approval) =>
  approval === 'changed' ? 'changed since it was approved' : approval === 'new' ? 'not approved' : 'approved'

/** `what` it would do is a clause: `'create.maxDuration' may only be lowered`. */
export const notTrusted = (file: string, what: string, approval: Approval) =>
  new HoldfastError('NOT_TRUSTED', `${file}: ${what}; the file is ${approvalText(approval)}.`)
