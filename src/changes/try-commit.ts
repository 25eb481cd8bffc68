import { isHoldfastError } from '../domain/errors.ts'
import type { Change, Committed } from '../ports/store/commits.ts'

/** Undefined when the facts on which the change was decided no longer hold: somebody else was quicker. */
export async function tryCommit(
  change: Change,
  { commit }: { readonly commit: (change: Change) => Promise<Committed> },
): Promise<Committed | undefined> {
  try {
    return await commit(change)
  } catch (error) {
    if (isHoldfastError(error, 'TRANSITION_CONFLICT')) return undefined
    throw error
  }
}
