// Owns what ends a runtime or starts it anew: `stop`, `rm` and `restart`. What is wanted is stored first, so that a daemon
// that dies meanwhile leaves the rest to the next one.
import { tryCommit } from '../../changes/try-commit.ts'
import { HoldfastError } from '../../domain/errors.ts'
import type { Runtime } from '../../domain/runtime/runtime.ts'
import type { Input, Trigger } from '../../domain/task/input.ts'
import { isEnded } from '../../domain/task/machine.ts'
import { isTimed } from '../../domain/task/state.ts'
import type { Task } from '../../domain/task/task.ts'
import { killTask } from '../orders/kill-task.ts'
import { personDecides } from '../orders/person-decides.ts'
import { unpark } from '../orders/unpark.ts'
import { removeTask } from '../upkeep/remove-task.ts'
import type { RuntimesNeeds } from './needs.ts'

/** False when it was stopped before. Resolves when its processes are gone. */
export async function stopRuntime(runtime: Runtime, by: string, core: RuntimesNeeds): Promise<boolean> {
  const task = await core.store.task(runtime.taskId)
  const at = core.clock.now()
  if (runtime.wanted === 'up') {
    const audit = {
      at,
      kind: 'runtime_stopped',
      taskId: task?.id ?? null,
      actor: by,
      detail: runtime.agentId,
    } as const
    await core.commit({ noteRuntime: { id: runtime.id, set: { wanted: 'stopped' } }, audit })
  }
  if (task === undefined || isEnded(task.status)) return false
  await pressInterrupt(task, core)
  return await killTask(task.id, { by, reason: `stopped by ${by}` }, core)
}

/** As a person would first: it may have something to finish. What it does not heed within the grace is killed. */
async function pressInterrupt(
  { id }: Task,
  { terminal, watched }: Pick<RuntimesNeeds, 'terminal' | 'watched'>,
): Promise<void> {
  const watch = watched.get(id)
  if (watch?.run.state !== 'live' || terminal.health() !== 'up') return
  // The signal that follows says the same, so a pane that takes no keys is no reason to stay.
  await terminal.press(id, watch.run.id, 'stop', ['C-c']).catch(() => {})
}

/** Stops it first, and forgets it with its task and all its files. Returns the prompts that never reached it, oldest first. */
export async function removeRuntime(runtime: Runtime, by: string, core: RuntimesNeeds): Promise<Trigger[]> {
  await stopRuntime(runtime, by, core)
  // It has ended and takes no more of them. Those it would have got when it was started again are forgotten, too.
  const waited = (await core.store.inputs(runtime.taskId)).filter(neverReached)
  const at = core.clock.now()
  const dropRuntime = { id: runtime.id, at }
  const task = await core.store.task(runtime.taskId)
  if (task === undefined) await core.commit({ dropRuntime })
  else await removeTask(task.id, by, core, { dropRuntime })
  return waited
}

const neverReached = (input: Input): input is Trigger =>
  input.triggerId !== null && input.state === 'failed' && input.code === 'TARGET_NOT_FOUND'

/** Its run is ended, and it goes on in its session in a new one; one that waits to be started again is started now. */
export async function restartRuntime(runtime: Runtime, by: string, core: RuntimesNeeds): Promise<void> {
  const task = await core.store.task(runtime.taskId)
  if (task === undefined || isEnded(task.status))
    throw new HoldfastError('RUNTIME_STOPPED', `Runtime ${runtime.agentId} is stopped.`)
  if (core.watched.has(task.id)) {
    const at = core.clock.now()
    const order = { kind: 'resume', by, reason: `restarted by ${by}`, at, goOn: null, mode: null } as const
    const audit = {
      at,
      kind: 'runtime_restarted',
      taskId: task.id,
      actor: by,
      detail: runtime.agentId,
    } as const
    await tryCommit({ restart: { id: task.id, order }, audit }, core)
  } else if (isTimed(task)) await unpark(task, { by }, core)
  else if (task.status !== 'pending') await personDecides(task.id, { choice: 'resume', by }, core)
}
