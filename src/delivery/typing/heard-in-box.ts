// Owns prompts that the agent has heard before we knew that they were sent: our Enter was not stored yet when the daemon
// died, or a person pressed Enter on what we had pasted.

import { sayInput } from '../../changes/say-input.ts'
import type { Input } from '../../domain/task/task.ts'
import type { AgentDriver, AgentSays } from '../../ports/agent-driver.ts'
import type { ConversationReads } from '../../ports/store.ts'
import type { Core, Reads, Watch } from '../../supervisor/task/core.ts'
import { isBetweenTurns } from '../../supervisor/watching/come-to-rest.ts'
import { hearsBy } from '../inputs/hearing.ts'
import { isPrompt, sameWords } from '../inputs/said.ts'
import { beginTurn } from '../lines/say-by-lines.ts'
import { tryOf } from './tries.ts'

/** All inputs of the task, after what these words prove to have been said is stored as said. */
export async function inputsAsHeard(
  says: readonly AgentSays[],
  watch: Watch,
  driver: AgentDriver,
  core: Pick<Core, 'clock' | 'commit' | 'terminal'> & Reads<ConversationReads>,
): Promise<readonly Input[]> {
  const { task, run } = watch
  const inputs = await core.store.inputs(task.id)
  const heard = says.flatMap((said) => (said.kind === 'heard' && said.text !== null ? [said.text] : []))
  const unsaid = inputs.filter(
    (input) =>
      isPrompt(input) && input.saidAt === null && heard.some((words) => sameWords(input.text, words)),
  )
  if (unsaid.length === 0 || hearsBy(task, driver) !== 'keys') return inputs
  // A person may have said the same words by themselves.
  const view = await core.terminal.look(task.id, run.id).catch(() => undefined)
  const pasted = unsaid.find(({ number }) => view !== undefined && tryOf(view.pasted, number) > 0)
  if (pasted === undefined) return inputs
  const at = core.clock.now()
  await core.commit({ say: sayInput(pasted, { runId: run.id, at, written: null }) })
  if (isBetweenTurns(watch.task)) await beginTurn(pasted, watch, core)
  return core.store.inputs(task.id)
}
