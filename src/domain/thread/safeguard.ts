// Owns the safeguard against agents that talk in circles: many messages without progress, or the same finding again and
// again, block a thread until a person or the orchestrator continues it.
//
// Progress is a result, a finding that was never posted before, or a word of a person. After a person's word, and after a
// continuation, both counts begin anew.
import type { Message, Thread } from './thread.ts'

export type GuardLimits = {
  /** So many messages of agents in a row without progress block the thread. */
  readonly maxTurns: number
  /** So many same findings block it, too. */
  readonly maxIdenticalFindings: number
}

export type GuardedPost = Pick<Message, 'kind'> & {
  readonly isPersons: boolean
  /** How often a finding was posted before: in the whole thread, and since the count began. 0 for other kinds. */
  readonly sameBefore: number
  readonly sameSince: number
}

/** What the thread is like after the post; `why` is null unless it blocks the thread. */
export type Guarded = Pick<Thread, 'turnsWithoutProgress' | 'guardedAfter'> & { readonly why: string | null }

/** `number` is that of the post. */
export function guardPost(
  before: Pick<Thread, 'turnsWithoutProgress' | 'guardedAfter'>,
  post: GuardedPost,
  number: number,
  limits: GuardLimits,
): Guarded {
  if (post.isPersons) return { turnsWithoutProgress: 0, guardedAfter: number, why: null }
  const turnsWithoutProgress = isProgress(post) ? 0 : before.turnsWithoutProgress + 1
  return {
    turnsWithoutProgress,
    guardedAfter: before.guardedAfter,
    why: whyBlocked(post, turnsWithoutProgress, limits),
  }
}

const isProgress = ({ kind, sameBefore }: GuardedPost) =>
  kind === 'result' || (kind === 'finding' && sameBefore === 0)

function whyBlocked(post: GuardedPost, turns: number, limits: GuardLimits): string | null {
  const same = post.kind === 'finding' ? post.sameSince + 1 : 0
  if (same >= limits.maxIdenticalFindings) return `the same finding was posted ${same} times`
  if (turns >= limits.maxTurns)
    return `${turns === 1 ? 'a message' : `${turns} messages`} of agents without progress`
  return null
}
