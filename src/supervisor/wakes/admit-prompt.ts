// Owns whether a prompt that somebody sends may go on its way now. The safeguards are against agents that keep each other
// busy: a run sends nothing into a blocked thread, and not too often. A person who sends a prompt has decided so.
import { HoldfastError } from '../../domain/errors.ts'
import { asThreadId } from '../../domain/names/ids.ts'
import { printable } from '../../domain/names/names.ts'
import { runIn } from '../../domain/task/caller.ts'
import type { InputDraft } from '../../ports/store/conversation.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { ThreadReads } from '../../ports/store/threads.ts'
import { type RateNeeds, type Waker, whyLater } from './rate.ts'

type Needs = RateNeeds & Reads<Pick<ThreadReads, 'thread'>>

/** Why it waits; undefined when it does not. THREAD_NOT_FOUND, or THREAD_AUTO_BLOCKED, when it may not go there at all. */
export async function admitPrompt(sent: Waker, core: Needs): Promise<InputDraft['deferred']> {
  const isRuns = runIn(sent.by) !== undefined
  if (sent.thread !== null) await checkThread(sent.thread, isRuns, core)
  return isRuns ? await whyLater(sent, core) : undefined
}

async function checkThread(
  id: string,
  isRuns: boolean,
  { store }: Reads<Pick<ThreadReads, 'thread'>>,
): Promise<void> {
  const thread = await store.thread(asThreadId(id))
  if (thread === undefined)
    throw new HoldfastError('THREAD_NOT_FOUND', `There is no thread ${printable(id)}.`)
  if (thread.blocked !== null && isRuns)
    throw new HoldfastError(
      'THREAD_AUTO_BLOCKED',
      `Thread ${id} is blocked: ${thread.blocked.why}. The prompt was not sent.`,
    )
}
