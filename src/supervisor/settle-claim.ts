// Owns the question "did that launch happen?". The claim answers it: whoever makes it first decides, for ever.

import { isHoldfastError, messageOf } from '../domain/errors.ts'
import { saw } from '../domain/evidence.ts'
import type { Core, Watch } from './core.ts'
import { settle } from './harvest.ts'
import { showTask } from './show-task.ts'
import { tidyTask } from './tidy-task.ts'
import { refresh } from './watch-task.ts'

/** Ours: the run is void and the task goes back to the queue, for a run with a new id. The shim's: it is adopted once its process shows. */
export async function settleClaim(watch: Watch, why: string, core: Core): Promise<void> {
  const { runFiles } = core
  const never = (await runFiles.claim(watch.run.id)) || (await claimedButNeverStarted(watch, core))
  if (never) await requeue(watch, why, core)
  else core.poke(watch.task.id)
}

/** Claimed long ago and no process: the shim died in between. Its start is voided too, so that it cannot wake up later. */
async function claimedButNeverStarted(watch: Watch, core: Core): Promise<boolean> {
  const waitedMs = core.clock.monotonic() - watch.sinceMono
  if (waitedMs < core.config['launch.grace']) return false
  return core.runFiles.voidStart(watch.run.id)
}

async function requeue(watch: Watch, why: string, core: Core): Promise<void> {
  const { task, run } = watch
  const at = core.clock.now()
  const stopped = task.stop
  await core.store.record({
    run: { id: run.id, from: 'launching', event: 'voided', set: { endedAt: at } },
    task: {
      id: task.id,
      from: 'running',
      event: stopped === null ? 'requeued' : 'cancelled',
      reason: stopped === null ? `launch ${run.number} did not happen: ${why}` : stopped.reason,
      evidence: [saw('store', `run ${run.id} voided by its claim`)],
      at,
      set: { runId: null, ...(stopped === null ? {} : { endedAt: at }) },
    },
  })
  await refresh(watch, core)
  await (stopped === null ? showTask(watch.task, core) : tidyTask(task.id, core))
  void core.scheduleSoon()
}

/** A launch that failed for good, such as a working directory that is gone: the task fails, nothing was started. */
export async function failLaunch(watch: Watch, error: unknown, core: Core): Promise<void> {
  if (!(await core.runFiles.claim(watch.run.id))) return core.poke(watch.task.id)
  const reason = isHoldfastError(error) ? `${error.message} (${error.code})` : messageOf(error)
  const evidence = [saw('store', 'nothing was started')]
  await settle(
    watch,
    { rule: 'launch_failed', after: { kind: 'end', event: 'failed' }, reason, evidence },
    core,
  )
}
