// Owns making a task idle when its agent came back, is told nothing, and waits for its next prompt.

import { moveTask } from '../../changes/move-task.ts'
import { unsaidPrompts } from '../../delivery/inputs/said.ts'
import type { Evidence } from '../../domain/task/evidence.ts'
import { staysWhenIdle } from '../../domain/task/stays-when-idle.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core, Watch } from '../task/core.ts'
import { lastTurnEvidence } from './last-turn-evidence.ts'

/**
 * The agent came back, and nothing waits to be said to it: its last turn had finished, or a person says what comes next. A
 * runtime is ready first, and told then.
 */
export const hasNothingToDo = async ({ task, run }: Watch, core: Reads<ConversationReads>) =>
  task.snapshot.standing === true || (await cameBackForNothing({ task, run }, core))

const cameBackForNothing = async (
  { task, run }: Pick<Watch, 'task' | 'run'>,
  core: Reads<ConversationReads>,
) =>
  run.how !== 'start' &&
  run.told === null &&
  staysWhenIdle(task) &&
  unsaidPrompts(await core.store.inputs(task.id)).length === 0

export async function comeToRest(
  watch: Watch,
  seen: readonly Evidence[],
  core: Pick<Core, 'clock' | 'commit'> & Reads<TaskReads>,
): Promise<void> {
  const { id, status } = watch.task
  const isFirst = watch.run.how === 'start'
  const evidence = isFirst ? seen : [...seen, lastTurnEvidence(await core.store.transitions(id))]
  const reason = isFirst
    ? 'its agent is there, and waits for its first prompt'
    : 'its agent is back, and waits for the next prompt'
  const at = core.clock.now()
  await core.commit({
    task: moveTask({ id, from: status, event: 'turn_finished', reason, evidence, at }),
  })
}
