// Owns what is known of the trigger that a runtime's next run is to be told: how often it was resumed for it, and what a new
// session is told of its thread.
import { fallbacksIn } from '../../delivery/inputs/fall-back.ts'
import { openTurn, unsaidPrompts } from '../../delivery/inputs/said.ts'
import { asThreadId } from '../../domain/names/ids.ts'
import type { Input } from '../../domain/task/input.ts'
import type { Run } from '../../domain/task/run.ts'
import { SUMMARY_MESSAGES, threadSummary } from '../../domain/thread/thread-summary.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { ThreadReads } from '../../ports/store/threads.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'

export type Carried = {
  /** How often its agent was started again because of it. */
  readonly fallbacks: number
  /** Null where its thread is not known, or has no messages. */
  readonly summary: string | null
}

/** Null when none waits: nothing is lost when the run ends. */
export async function carriedTrigger(
  inputs: readonly Input[],
  { id }: Pick<Run, 'id'>,
  needs: Reads<ThreadReads & TriggerReads>,
): Promise<Carried | null> {
  const turn = openTurn(inputs, id)
  const next = turn?.heardAt === null ? turn : unsaidPrompts(inputs)[0]
  if (next === undefined || next.triggerId === null) return null
  const steps = await needs.store.triggerSteps(next.triggerId)
  return { fallbacks: fallbacksIn(steps), summary: await summaryOf(next.thread, needs) }
}

async function summaryOf(name: string | null, { store }: Reads<ThreadReads>): Promise<string | null> {
  const thread = name === null ? undefined : await store.thread(asThreadId(name))
  if (thread === undefined || thread.lastNumber === 0) return null
  const after = Math.max(0, thread.lastNumber - SUMMARY_MESSAGES)
  return threadSummary(thread, await store.messages(thread.id, { after, most: SUMMARY_MESSAGES }))
}
