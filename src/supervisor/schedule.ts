// Owns who may start: at most `maxConcurrent` working runs, the rest wait by priority and age.
import { isHoldfastError, messageOf } from '../domain/errors.ts'
import type { TaskSummary } from '../domain/task.ts'
import type { Core } from './core.ts'
import { launch } from './launch.ts'

/** Tasks that wait for a person give their slot back. */
export const workingRuns = (core: Core) =>
  [...core.watched.values()].filter(({ task }) => task.status === 'running').length

export const freeSlots = (core: Core) => core.config.maxConcurrent - workingRuns(core)

/** Starts what can start. Called one at a time; stops at the first sign that the world is in the way. */
export async function schedule(core: Core): Promise<void> {
  if (core.terminal.health() !== 'up') return
  const next = await core.store.queue(Math.max(0, freeSlots(core)))
  for (const task of next) {
    if (freeSlots(core) <= 0) return
    const goOn = await core.alone(task.id, () => tryLaunch(task, core))
    if (!goOn) return
  }
}

async function tryLaunch(task: TaskSummary, core: Core): Promise<boolean> {
  try {
    return await launch(task, core)
  } catch (error) {
    // It was ended while it waited here: the next one's turn.
    if (isHoldfastError(error, 'TRANSITION_CONFLICT')) return true
    core.log.error('could not launch', { task: task.id, error: messageOf(error) })
    return false
  }
}
