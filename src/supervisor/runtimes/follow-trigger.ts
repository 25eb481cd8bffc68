// Owns that a runtime's state follows the trigger which is being delivered to it.
import { tryCommit } from '../../changes/try-commit.ts'
import { asTriggerId, type TaskId } from '../../domain/names/ids.ts'
import { runtimeEventsBy } from '../../domain/runtime/by-trigger.ts'
import { nextRuntimeState } from '../../domain/runtime/next-runtime-state.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { TriggerEvent } from '../../domain/trigger/machine.ts'
import type { RuntimesNeeds } from './needs.ts'

/** In the lane of the runtimes: a look in between would see half of it. */
export async function followTrigger(
  taskId: TaskId,
  event: TriggerEvent,
  triggerId: string,
  core: RuntimesNeeds,
): Promise<void> {
  const runtime = await core.store.runtimeOfTask(taskId)
  if (runtime === undefined) return
  if (OF_ITSELF.has(event) && (await isDelivered(runtime.lastTriggerId, triggerId, core))) return
  let { state } = runtime
  for (const step of runtimeEventsBy(event, state)) {
    const moveRuntime = {
      id: runtime.id,
      from: state,
      event: step,
      reason: `trigger ${triggerId}: ${event.replaceAll('_', ' ')}`,
      evidence: [saw('store', `trigger ${triggerId} was ${event}`)],
      at: core.clock.now(),
      set: { lastTriggerId: triggerId },
    }
    if ((await tryCommit({ moveRuntime }, core)) === undefined) return
    state = nextRuntimeState(state, step)
  }
}

/** What they say of a trigger that waits says nothing of another one that is on its way. */
const OF_ITSELF: ReadonlySet<TriggerEvent> = new Set(['queued', 'deferred', 'failed'])

/** Another one than this is in the terminal, and its agent has not shown yet that it arrived. */
async function isDelivered(last: string | null, one: string, { store }: RuntimesNeeds): Promise<boolean> {
  if (last === null || last === one) return false
  const trigger = await store.trigger(asTriggerId(last))
  return trigger?.state === 'typed' || trigger?.state === 'submitted'
}
