// Owns who may start: at most `maxConcurrent` working runs, the rest wait by priority and age.
import { type HoldfastError, isHoldfastError, messageOf } from '../domain/errors.ts'
import { saw } from '../domain/evidence.ts'
import type { TaskSummary } from '../domain/task.ts'
import type { Phase } from '../domain/task-machine.ts'
import type { Core, Watch } from './core.ts'
import { heldBack } from './gates.ts'
import { isInTheWay, launch } from './launch.ts'
import { tidyTask } from './tidy-task.ts'

/** Tasks that wait for a person, a prompt or a time give their slot back. */
const WAITS: ReadonlySet<Phase | null> = new Set(['idle', 'parked', 'backing_off'])

const works = ({ task }: Watch) => task.status === 'running' && !WAITS.has(task.phase)

/** A task with a child at work waits for it: its slot is the child's. */
export function workingRuns({ watched }: Core): number {
  const working = [...watched.values()].filter(works)
  const parents = new Set(working.map(({ task }) => task.parentId))
  return working.filter(({ task }) => !parents.has(task.id)).length
}

export const freeSlots = (core: Core) => core.config.maxConcurrent - workingRuns(core)

/** A child takes its parent's slot, where there is no other. */
function hasSlot({ parentId }: TaskSummary, core: Core): boolean {
  const parent = parentId === null ? undefined : core.watched.get(parentId)
  const lends = parent !== undefined && works(parent) && !hasChild(parent, core)
  return freeSlots(core) > (lends ? -1 : 0)
}

const hasChild = ({ task }: Watch, { watched }: Core) =>
  [...watched.values()].some((other) => other.task.parentId === task.id && works(other))

/** So many that wait behind gates, or for a slot, are looked past. */
const MOST_PASSED_BY = 1000

/** Starts what can start. Called one at a time; stops at the first sign that the world is in the way. */
export async function schedule(core: Core): Promise<void> {
  if (core.terminal.health() !== 'up') return
  const slots = freeSlots(core)
  const mayLend = core.config['recursion.depth'] > 0
  if (slots <= 0 && !mayLend) return
  const gates = await core.store.gates()
  const isHeld = heldBack(gates)
  const passedBy = gates.length > 0 || mayLend ? MOST_PASSED_BY : 0
  const next = await core.store.queue(Math.max(0, slots) + passedBy)
  for (const task of next.filter((queued) => !isHeld(queued))) {
    if (!hasSlot(task, core)) {
      if (mayLend) continue
      return
    }
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
