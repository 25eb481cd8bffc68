// Owns where result.json comes from: the file that the agent wrote, or else the agent's final message.

import type { After, Verdict } from '../recovering/decide-end.ts'
import type { Watch } from '../task/core.ts'
import { lastLines } from './last-lines.ts'
import type { EndingNeeds } from './needs.ts'

/** Called before the end is stored, so that no ended task lacks its result. */
export async function storeResult(
  watch: Pick<Watch, 'task' | 'run'>,
  { after }: Pick<Verdict, 'after'>,
  core: EndingNeeds,
): Promise<void> {
  if (after.kind !== 'end' && after.kind !== 'verify') return
  const { task, run } = watch
  const file = await core.handoff.readResult(task)
  if (file.kind === 'json') return core.handoff.writeResult(task, file.text)
  if (file.kind === 'refused') {
    core.log.warn('result.json refused', { task: task.id, why: file.why })
    await core.commit({
      event: { at: core.clock.now(), kind: 'result_refused', taskId: task.id, data: { why: file.why } },
    })
  }
  const completed = endsWell(after)
  if (run.result === null && !completed) return
  const fromMessage = {
    session_id: task.id,
    status: completed ? 'success' : 'failure',
    result: run.result === null ? await lastLines(watch, core) : run.result.text || (run.lastWords ?? ''),
    source: 'final_message',
    ...(task.hookViolations.length > 0 ? { hook_violations: task.hookViolations } : {}),
  }
  await core.handoff.writeResult(task, `${JSON.stringify(fromMessage, null, 2)}\n`)
}

const endsWell = (after: After) =>
  after.kind === 'verify' || (after.kind === 'end' && after.event === 'completed')
