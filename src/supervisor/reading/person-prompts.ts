// Owns the prompts that an agent in the terminal of a runtime says it heard, and that nobody sent through Holdfast: a person
// typed them there. All are noted, however fast they came.
import { sameWords } from '../../delivery/inputs/said.ts'
import { wordsOf } from '../../domain/conversation/words-of.ts'
import type { Input } from '../../domain/task/input.ts'
import { isShown } from '../../domain/text/drawn-text.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import type { Watch } from '../task/core.ts'
import type { ReadingNeeds } from './needs.ts'

const LONGEST_SAID = 2000

/** Before their line counts as read: a daemon that dies in between notes them again, which is better than never. */
export async function notePersonPrompts(
  says: readonly AgentSays[],
  inputs: readonly Input[],
  { task, run }: Watch,
  core: ReadingNeeds,
): Promise<void> {
  if (task.runtime === null || task.mode !== 'interactive') return
  const texts = says.flatMap((said) => (said.kind === 'heard' && said.ref === null ? (said.text ?? []) : []))
  const theirs = texts.filter((text) => text.trim() !== '' && !inputs.some((input) => isOurs(input, text)))
  const runtime = theirs.length === 0 ? undefined : await core.store.runtimeOfTask(task.id)
  if (runtime === undefined) return
  const view = await core.terminal.look(task.id, run.id).catch(() => undefined)
  // Agents also hear of their own helpers: without anybody at the keys, no person said it.
  if (runtime.operatorBusy === 0 && (view?.typists.length ?? 0) === 0) return
  const at = core.clock.now()
  for (const text of theirs)
    await core.commit({
      noteRuntime: { id: runtime.id, set: { operatorBusy: 1 } },
      audit: {
        at,
        kind: 'operator_prompted',
        taskId: task.id,
        actor: 'person',
        detail: redactSecrets(text.trim()).slice(0, LONGEST_SAID),
      },
    })
}

const isOurs = (input: Input, text: string) => sameWords(input, text) || isShown(text, wordsOf(input))
