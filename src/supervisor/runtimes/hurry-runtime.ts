// Owns that a runtime which waits out its grace is started at once when somebody waits for it. Only the first time: one that
// dies at its start is not started faster by those who wait.
import { moveTask } from '../../changes/move-task.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import { unsaidPrompts } from '../../delivery/inputs/said.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { RuntimesNeeds } from './needs.ts'

const FIRST_RETRY = 1

export async function hurryRuntime(id: TaskId, core: RuntimesNeeds): Promise<void> {
  await core.withLock(id, async () => {
    const task = await core.store.task(id)
    if (task?.phase !== 'backing_off' || task.retries > FIRST_RETRY || core.watched.has(id)) return
    const [waiting] = unsaidPrompts(await core.store.inputs(id))
    if (waiting === undefined) return
    const reason = `prompt ${waiting.number} waits for it`
    const evidence = [saw('store', `input ${waiting.number} is queued`)]
    const move = { id, from: task.status, event: 'requeued', goOn: task.goOn, reason, evidence } as const
    await tryCommit({ task: moveTask({ ...move, at: core.clock.now(), set: { runId: null } }) }, core)
  })
}
