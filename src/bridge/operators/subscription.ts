// Owns that the orchestrator learns when a person has typed into another runtime of its workspace: one message for each
// time, stored together with the subscriber's place, so that none is lost and none comes twice.
import type { JournalEvent } from '../../domain/journal/events.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Desk, Subscription } from '../../supervisor/desk.ts'
import { interventionText } from './intervention-text.ts'

const OPERATORS = 'operators'
const REASON = 'operator_intervened'
type Uses = Pick<Desk, 'operators'>

export const operatorsSubscription = (desk: Uses): Subscription => ({
  name: OPERATORS,
  isOfNode: true,
  kinds: ['operator_left'],
  handle: (event) => tellOrchestrator(event, desk),
})

/** Undefined where nobody coordinates, or the orchestrator itself was typed into. */
async function tellOrchestrator(
  { kind, taskId, at, nodeId, seq }: JournalEvent,
  { operators }: Uses,
): Promise<Change | undefined> {
  if (kind !== 'operator_left' || taskId === null) return undefined
  const intervention = await operators.intervention(taskId, at)
  const orchestrator = intervention && (await operators.orchestratorOf(intervention.runtime))
  if (intervention === undefined || orchestrator === undefined) return undefined
  return {
    input: {
      taskId: orchestrator.taskId,
      kind: 'prompt',
      text: interventionText(intervention),
      by: 'holdfast',
      at,
      trigger: {
        thread: null,
        reason: REASON,
        key: `${OPERATORS}-${nodeId}-${seq}`,
        framed: 1,
        forcedBy: null,
        forcedWhy: null,
      },
    },
  }
}
