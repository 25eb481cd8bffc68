// Owns which tasks may start: at most `maxConcurrent` working runs, the rest wait by priority and age. A runtime needs no slot.

import { moveTask } from '../../changes/move-task.ts'
import { isHoldfastError, messageOf } from '../../domain/errors.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { Phase } from '../../domain/task/machine.ts'
import type { QueuedTask, TaskSummary } from '../../domain/task/task.ts'
import { heldBack } from '../recovering/gates.ts'
import type { Core, Watch } from '../task/core.ts'
import { tidyTask } from '../task/tidy-task.ts'
import { isMachineTrouble, type LaunchOutcome, launch } from './launch.ts'
import type { StartingNeeds } from './needs.ts'

/** Tasks that wait for a person, a prompt or a time give their slot back. */
const GIVES_SLOT_BACK: ReadonlySet<Phase | null> = new Set(['idle', 'parked', 'backing_off', 'waiting'])

/** Whether the run takes a slot. A runtime takes one only during a turn, and so not while it starts. */
const works = ({ task }: Watch) =>
  task.status === 'running' &&
  !GIVES_SLOT_BACK.has(task.phase) &&
  !(task.runtime !== null && task.phase === 'starting')

/** A task with a child at work waits for that child: the two take one slot together. */
function workingRuns({ watched }: Pick<Core, 'watched'>): number {
  const working = [...watched.values()].filter(works)
  const parents = new Set(working.map(({ task }) => task.parentId))
  return working.filter(({ task }) => !parents.has(task.id)).length
}

const idsAtWork = ({ watched }: Pick<Core, 'watched'>) =>
  [...watched.values()].filter(works).map(({ task }) => task.id)

export const freeSlots = (core: Pick<Core, 'config' | 'watched'>) =>
  core.config.maxConcurrent - workingRuns(core)

/** If no slot is free, a child may use the slot of its parent. */
function hasSlot({ parentId }: TaskSummary, core: Pick<Core, 'config' | 'watched'>): boolean {
  const parent = parentId === null ? undefined : core.watched.get(parentId)
  const lends = parent !== undefined && works(parent) && !hasChild(parent, core)
  return freeSlots(core) > (lends ? -1 : 0)
}

const hasChild = ({ task }: Watch, { watched }: Pick<Core, 'watched'>) =>
  [...watched.values()].some((other) => other.task.parentId === task.id && works(other))

/** When so many tasks in a row cannot be launched, the fault is not with the tasks: scheduling stops for now. */
const MOST_BROKEN = 3
/** A task that could not be launched so often, while others could, is failed. */
const SURELY_BROKEN = 3
/** So many queued tasks that wait behind gates, for a slot or for a terminal are looked at to find one that can start. */
const MOST_PASSED_BY = 1000

/** Starts the tasks that can start. One call at a time. Stops when something outside the tasks prevents launches. */
export async function schedule(core: StartingNeeds): Promise<void> {
  await startRuntimes(core)
  let hasTerminals = core.terminal.health() === 'up'
  const slots = freeSlots(core)
  const mayLend = await core.store.hasQueuedChild(idsAtWork(core))
  if (slots <= 0 && !mayLend) return
  const gates = await core.store.gates()
  const isHeld = heldBack(gates)
  const passedBy = gates.length > 0 || mayLend || !hasTerminals ? MOST_PASSED_BY : 0
  const next = await core.store.queue(Math.max(0, slots) + Math.max(passedBy, MOST_BROKEN))
  const broken: Broken[] = []
  // One of the held tasks may be the next canary.
  if (next.some(isHeld)) core.wakeAt(core.clock.now())
  for (const task of next.filter((queued) => !isHeld(queued))) {
    if (!hasSlot(task, core)) {
      if (mayLend) continue
      return
    }
    if (task.mode === 'interactive' && !hasTerminals) continue
    const tried = await core.withLock(task.id, () => tryLaunch(task, core))
    if (tried === 'next') {
      for (const one of broken.splice(0)) await countAgainst(one, core)
      continue
    }
    if (tried !== 'blocked' && broken.push(tried) < MOST_BROKEN) continue
    if (tried !== 'blocked' || task.mode !== 'interactive') return
    // The terminal may be the cause: only tasks that need none are tried from here on.
    hasTerminals = false
  }
}

/** Those that are up wait for prompts most of the time: they hold no slots, and need none to come back. */
async function startRuntimes(core: StartingNeeds): Promise<void> {
  if (core.terminal.health() !== 'up') return
  const queued = await core.store.queuedRuntimes()
  if (queued.length === 0) return
  const isHeld = heldBack(await core.store.gates())
  if (queued.some(isHeld)) core.wakeAt(core.clock.now())
  for (const task of queued.filter((one) => !isHeld(one))) {
    const tried = await core.withLock(task.id, () => tryLaunch(task, core))
    if (tried === 'blocked') return
    if (tried !== 'next') await countAgainst(tried, core)
  }
}

/** A task that could not be launched, and it is not known whether the task or something outside it is the cause. */
type Broken = { readonly task: TaskSummary; readonly why: string }

/** `next`: launched, or no longer to be: go on with the next in the queue. `blocked`: no task can be launched now. */
async function tryLaunch(task: QueuedTask, core: StartingNeeds): Promise<LaunchOutcome | Broken> {
  try {
    return await launch(task, core)
  } catch (error) {
    // The task was ended or moved meanwhile.
    if (isHoldfastError(error, 'TRANSITION_CONFLICT')) return 'next'
    core.log.error('could not launch', { task: task.id, error: messageOf(error) })
    if (isMachineTrouble(error)) return 'blocked'
    if (!isHoldfastError(error)) return { task, why: `It could not be started: ${messageOf(error)}` }
    await failQueued(task, `${error.message} (${error.code})`, core)
    return 'next'
  }
}

/** A later task could be launched, so the cause is this task. It is failed only after several times: once may be chance. */
async function countAgainst({ task, why }: Broken, core: StartingNeeds): Promise<void> {
  const times = (core.brokenLaunches.get(task.id) ?? 0) + 1
  core.brokenLaunches.set(task.id, times)
  if (times < SURELY_BROKEN) return
  core.brokenLaunches.delete(task.id)
  await core.withLock(task.id, () => failQueued(task, why, core))
}

/** No run can be planned for this task, now or later: it must not hold up the queue. */
async function failQueued({ id }: TaskSummary, reason: string, core: StartingNeeds): Promise<void> {
  const at = core.clock.now()
  const evidence = [saw('store', 'its agent was not started, so nothing was done in this try')]
  await core.commit({
    task: moveTask({ id, from: 'pending', event: 'failed', reason, evidence, at, set: { endedAt: at } }),
    audit: { at, kind: 'task_failed', taskId: id, actor: 'holdfast', detail: reason },
  })
  // The cause of the failure may prevent tidying too; the next start of the daemon tidies up what is left.
  await tidyTask(id, core).catch((error) =>
    core.log.error('could not tidy up', { task: id, error: messageOf(error) }),
  )
}
