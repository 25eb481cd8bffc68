import type { RunId, TaskId } from '../../domain/names/ids.ts'
import type { TokenClaims } from '../../domain/run/token-claims.ts'

/** What proves to the daemon which run is asking. */
export interface RunTokens {
  /** A new token for this run, valid from now on. `expires`: epoch ms. */
  issue(run: RunId, task: TaskId): Promise<{ readonly text: string; readonly expires: number }>
  /** What a token says, whether or not it is in time. TOKEN_INVALID for one that this home did not sign. */
  read(token: string): TokenClaims
}
