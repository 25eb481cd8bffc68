// Owns prompts that the agent has heard before we knew that they were sent: our Enter was not stored yet when the daemon
// died, or a person pressed Enter on what we had pasted.

import { sayInput } from '../../changes/say-input.ts'
import { beginsTurn, type Input } from '../../domain/task/input.ts'
import type { AgentDriver, AgentSays } from '../../ports/run/agent-driver.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { Reads } from '../../ports/store/store.ts'
import { isBetweenTurns, turnBegins } from '../inputs/begin-turn.ts'
import { hearsBy } from '../inputs/hearing.ts'
import type { Recipient } from '../inputs/recipient.ts'
import { sameWords } from '../inputs/said.ts'
import type { DeliveryNeeds } from '../needs.ts'
import { tryOf } from './tries.ts'

/** Stores a prompt as said when the agent's reports prove that it was. Returns all inputs of the task. */
export async function inputsAsHeard(
  says: readonly AgentSays[],
  recipient: Recipient,
  driver: AgentDriver,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit' | 'terminal'> & Reads<ConversationReads>,
): Promise<readonly Input[]> {
  const { task, run } = recipient
  const inputs = await needs.store.inputs(task.id)
  const heard = says.flatMap((said) => (said.kind === 'heard' && said.text !== null ? [said.text] : []))
  const unsaid = inputs.filter(
    (input) => beginsTurn(input) && input.saidAt === null && heard.some((words) => sameWords(input, words)),
  )
  if (unsaid.length === 0 || hearsBy(task, driver) !== 'keys') return inputs
  // A person may have typed the same words: only a prompt that we pasted counts. A pane that is gone cannot tell any more.
  const view = await needs.terminal.look(task.id, run.id).catch(() => undefined)
  const pasted = unsaid.find(
    ({ number, runId }) => runId === run.id || (view !== undefined && tryOf(view.pasted, number) > 0),
  )
  if (pasted === undefined) return inputs
  const at = needs.clock.now()
  const turn = isBetweenTurns(task) ? turnBegins(pasted, task, at) : {}
  await needs.commit({ say: sayInput(pasted, { runId: run.id, at, written: null }), ...turn })
  return needs.store.inputs(task.id)
}
