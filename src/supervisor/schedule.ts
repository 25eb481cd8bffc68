// Owns who may start: at most `maxConcurrent` working runs, the rest wait by priority and age.
import { type HoldfastError, isHoldfastError, messageOf } from '../domain/errors.ts'
import { saw } from '../domain/evidence.ts'
import type { TaskSummary } from '../domain/task.ts'
import type { Phase } from '../domain/task-machine.ts'
import type { Core } from './core.ts'
import { heldBack } from './gates.ts'
import { isInTheWay, launch } from './launch.ts'
import { tidyTask } from './tidy-task.ts'

/** Tasks that wait for a person, a prompt or a time give their slot back. */
const WAITS: ReadonlySet<Phase | null> = new Set(['idle', 'parked', 'backing_off'])

export const workingRuns = (core: Core) =>
  [...core.watched.values()].filter(({ task }) => task.status === 'running' && !WAITS.has(task.phase)).length

export const freeSlots = (core: Core) => core.config.maxConcurrent - workingRuns(core)

/** So many that wait behind gates are looked past. */
const BEHIND_GATES = 1000

/** Starts what can start. Called one at a time; stops at the first sign that the world is in the way. */
export async function schedule(core: Core): Promise<void> {
  if (core.terminal.health() !== 'up') return
  const slots = freeSlots(core)
  if (slots <= 0) return
  const gates = await core.store.gates()
  const isHeld = heldBack(gates)
  const next = await core.store.queue(slots + (gates.length === 0 ? 0 : BEHIND_GATES))
  for (const task of next.filter((queued) => !isHeld(queued))) {
    if (freeSlots(core) <= 0) return
    const goOn = await core.alone(task.id, () => tryLaunch(task, core))
    if (!goOn) return
  }
}

/** Whether the next in the queue may have its turn. */
async function tryLaunch(task: TaskSummary, core: Core): Promise<boolean> {
  try {
    return await launch(task, core)
  } catch (error) {
    // It was ended while it waited here.
    if (isHoldfastError(error, 'TRANSITION_CONFLICT')) return true
    core.log.error('could not launch', { task: task.id, error: messageOf(error) })
    if (!isHoldfastError(error) || isInTheWay(error)) return false
    await failQueued(task, error, core)
    return true
  }
}

/** No run can be planned for it, now or later: it must not keep those behind it waiting. */
async function failQueued({ id }: TaskSummary, error: HoldfastError, core: Core): Promise<void> {
  const at = core.clock.now()
  const reason = `${error.message} (${error.code})`
  const evidence = [saw('store', 'nothing was started')]
  await core.store.record({
    task: { id, from: 'pending', event: 'failed', reason, evidence, at, set: { endedAt: at } },
    audit: { at, kind: 'task_failed', taskId: id, actor: 'holdfast', detail: reason },
  })
  core.bell.ring(id)
  await tidyTask(id, core)
}
