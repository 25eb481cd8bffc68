// Owns the wake-up of one task because of unread messages: one trigger at a time for each thread, and not too many for all.
import { tryCommit } from '../../changes/try-commit.ts'
import { hearsBy } from '../../delivery/inputs/hearing.ts'
import { sendPrompt } from '../../delivery/inputs/send-prompt.ts'
import { isHoldfastError } from '../../domain/errors.ts'
import type { HandledEvent } from '../../domain/journal/cause.ts'
import type { ThreadId } from '../../domain/names/ids.ts'
import { runIn } from '../../domain/task/caller.ts'
import { saw } from '../../domain/task/evidence.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import { WAKE_REASON } from '../../domain/thread/wake.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { WakesNeeds } from './needs.ts'
import { whyLater } from './rate.ts'

export type MessageWake = {
  readonly thread: ThreadId
  readonly text: string
  /** On whose behalf: the author of the message, or `holdfast`. */
  readonly by: string
  /** The same occasion wakes once. */
  readonly key: string
  /** The event that is handled; absent when the present state is the reason. */
  readonly cause?: HandledEvent
}

/**
 * Nothing happens for a task that is not to be woken, or whose last wake-up for this thread its agent does not have yet: it
 * reads all messages then.
 */
export async function wakeForMessages(task: Task, wake: MessageWake, core: WakesNeeds): Promise<void> {
  const { thread, text, by, key, cause } = wake
  const waiting = await core.store.unsubmitted(task.id, WAKE_REASON)
  if (whyNotWoken(task, core) !== null || waiting.some((one) => one.thread === thread)) return
  const admit = () => whyLater({ thread, by }, core)
  try {
    await sendPrompt(task, text, by, core, { thread, reason: WAKE_REASON, key, admit, along: { cause } })
  } catch (error) {
    // It ended, or was told to finish, in this moment.
    if (!isHoldfastError(error, 'TASK_NOT_ACTIVE', 'RUNTIME_STOPPED')) throw error
  }
}

/** Null for a task that messages wake. */
export function whyNotWoken(task: Task, core: Pick<WakesNeeds, 'driver'>): string | null {
  if (isEnded(task.status))
    return task.runtime === null ? 'it has ended' : 'it is stopped; it is woken when it is started again'
  return hearsBy(task, driverOf(task, core)) === 'nothing' ? 'it takes no prompts while it works' : null
}

/**
 * A blocked thread wakes nobody: what waits because of it, or was sent there by an agent, fails. Once it is continued,
 * whoever still has something to read is woken anew. What a person sent stays.
 */
export async function dropWakes(
  thread: ThreadId,
  why: string,
  cause: HandledEvent,
  core: WakesNeeds,
): Promise<void> {
  const { store, clock } = core
  const waiting = await store.triggersIn(['queued', 'deferred', 'fallen_back'])
  const evidence = [saw('store', `thread ${thread} is blocked: ${why}`)]
  for (const { triggerId: id, state: from, reason, thread: of, by } of waiting)
    if (of === thread && (reason === WAKE_REASON || runIn(by) !== undefined))
      await tryCommit(
        {
          trigger: { id, from, event: 'failed', code: 'THREAD_AUTO_BLOCKED', at: clock.now(), evidence },
          cause,
        },
        core,
      )
}
