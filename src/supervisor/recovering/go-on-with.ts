// Owns going on with words of Holdfast's own: in the session, which knows what was asked; otherwise anew, with all of it.
import { withResumeContext } from '../../domain/recovery/resume-context.ts'
import type { GoOn } from '../../domain/task/go-on.ts'
import type { Task } from '../../domain/task/task.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Core } from '../task/core.ts'
import { promptOf } from '../task/prompt-of.ts'
import { canResume } from './go-on-after.ts'

export async function goOnWith(
  words: string,
  task: Task,
  core: Pick<Core, 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<GoOn> {
  const driver = driverOf(task, core)
  const [runs, inputs] = await Promise.all([core.store.runsOf(task.id), core.store.inputs(task.id)])
  if (canResume({ task, runs, inputs, driver, sessionIsLost: false })) return { how: 'resume', say: words }
  return { how: 'with_context', say: `${withResumeContext(promptOf(task, driver), runs)}\n${words}\n` }
}
