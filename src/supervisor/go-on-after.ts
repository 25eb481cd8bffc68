// Owns how a task goes on after an early end: in its session, or anew, and with which words.
import { CONTINUATION, CONTINUATION_AFTER_LIMIT, type GoOn } from '../domain/go-on.ts'
import { withResumeContext } from '../domain/resume-context.ts'
import type { Run, Task } from '../domain/task.ts'
import type { AgentDriver } from '../ports/agent-driver.ts'
import type { Core } from './core.ts'
import { hearsBy } from './hearing.ts'
import { promptOf } from './prompt-of.ts'
import { openTurn } from './said.ts'

export type Ended = {
  readonly task: Task
  /** All of the task, oldest first. */
  readonly runs: readonly Run[]
  readonly driver: AgentDriver
  readonly sessionIsLost: boolean
}

export async function goOnAfter(ended: Ended, core: Core): Promise<GoOn> {
  const { task, runs, driver } = ended
  if (canResume(ended)) return { how: 'resume', say: await wordsFor(ended, core) }
  const prompt = promptOf(task, driver)
  const isUnheard = !(await wasHeard(ended, core))
  if (!mayHaveTouched(ended)) return { how: 'fresh', say: isUnheard ? null : prompt }
  return { how: 'with_context', say: withResumeContext(prompt, runs) }
}

/** An id that we chose is only a session's once its agent has spoken. */
export function canResume({ task, runs, driver, sessionIsLost }: Ended): boolean {
  if (task.sessionId === null || !driver.can.resume || sessionIsLost) return false
  return driver.can.sessionId === 'told' || runs.some(({ eventsOffset }) => eventsOffset > 0)
}

/** Only a record that would tell of every tool call can prove that there was none. */
export function mayHaveTouched({ task, runs, driver }: Ended): boolean {
  const told = task.mode === 'headless' ? driver.can.toolsTold.headless : driver.can.toolsTold.terminal
  return runs.some(
    ({ tools, unknownLines, state }) =>
      tools > 0 || unknownLines > 0 || (told !== 'as_they_begin' && state !== 'void'),
  )
}

/** Nothing at all when its last turn was over, or when what was last said never reached it: that is said again. */
async function wordsFor({ task, runs, driver }: Ended, core: Core): Promise<string | null> {
  const continuation = runs.at(-1)?.failure === 'limit' ? CONTINUATION_AFTER_LIMIT : CONTINUATION
  if (hearsBy(task, driver) === 'nothing') return continuation
  const inputs = await core.store.inputs(task.id)
  const last = runs.at(-1)
  const turn = last === undefined ? undefined : openTurn(inputs, last.id)
  if (turn === undefined) return hasFailed(last) ? continuation : null
  return turn.heardAt === null && turn.kind === 'prompt' ? null : continuation
}

const hasFailed = (run: Run | undefined) => run?.result?.ok === false

/** Its first prompt, where it hears more than one: what it never heard waits to be said again. */
async function wasHeard({ task, driver }: Ended, core: Core): Promise<boolean> {
  if (hearsBy(task, driver) === 'nothing') return false
  const [first] = await core.store.inputs(task.id)
  return first !== undefined && first.heardAt !== null
}
