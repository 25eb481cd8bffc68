// Owns what is said to a run by lines: each input is stored with its place first, then written, so that none is lost or doubled.

import { moveTask } from '../../changes/move-task.ts'
import { sayInput } from '../../changes/say-input.ts'
import { isAboutKeptBack } from '../../domain/conversation/holdfast-question.ts'
import { spokenText } from '../../domain/conversation/spoken-text.ts'
import type { RunId } from '../../domain/names/ids.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { Input, Question, Task } from '../../domain/task/task.ts'
import type { AgentDriver } from '../../ports/agent-driver.ts'
import { driverOf } from '../../ports/driver-of.ts'
import type { ConversationReads } from '../../ports/store.ts'
import type { Core, Reads, Watch } from '../../supervisor/task/core.ts'
import { endRun } from '../../supervisor/task/end-run.ts'
import { isBetweenTurns } from '../../supervisor/watching/come-to-rest.ts'
import { hearsBy, staysWhenIdle } from '../inputs/hearing.ts'
import { isPrompt, openTurn, refOf } from '../inputs/said.ts'
import type { SpeakingNeeds } from '../needs.ts'
import { writeInputLine } from './write-input-line.ts'

/** Says everything that can be said now; ends the conversation when nothing more will come. */
export async function sayByLines(watch: Watch, core: SpeakingNeeds): Promise<void> {
  const driver = driverOf(watch.task, core)
  if (watch.run.state !== 'live' || hearsBy(watch.task, driver) !== 'lines') return
  if (!(await writeAgain(watch, core))) return
  for (;;) {
    const inputs = await core.store.inputs(watch.task.id)
    const open = await core.store.openQuestions(watch.task.id)
    const next = nextToSay(inputs, open, watch)
    if (next === undefined) return endWhenOver(inputs, watch, core)
    if (next.kind === 'end') return endInput(watch, core)
    const line = lineFor(next, open, driver, watch)
    // It has said how it ended before anything could be said to it.
    if (line === null) return watch.run.result === null ? undefined : endInput(watch, core)
    if (!(await say(next, line, watch, core))) return
  }
}

/** Answers go at once; a prompt waits for its turn, while a question is open, and until a pause or a limit is over. */
export function nextToSay(
  inputs: readonly Input[],
  open: readonly Question[],
  { task, run }: Pick<Watch, 'task' | 'run'>,
): Input | undefined {
  const unsaid = inputs.filter(({ saidAt }) => saidAt === null)
  const answer = unsaid.find((input) => input.kind === 'answer' && questionOf(input, open) !== undefined)
  if (answer !== undefined) return answer
  const asks = open.some((question) => !isAboutKeptBack(question))
  if (asks || waitsForTime(task) || openTurn(inputs, run.id) !== undefined) return undefined
  // One that goes on is told so before anything else.
  const first = (...kinds: readonly Input['kind'][]) => unsaid.find(({ kind }) => kinds.includes(kind))
  return first('continuation') ?? first('prompt', 'end')
}

const waitsForTime = ({ phase }: Task) => phase === 'parked' || phase === 'backing_off'

/** An answer to a question that is over is not said any more. */
export const questionOf = ({ question }: Input, open: readonly Question[]) =>
  open.find(({ number }) => number === question)

function lineFor(
  input: Input,
  open: readonly Question[],
  driver: AgentDriver,
  { task }: Watch,
): string | null {
  if (isPrompt(input))
    return driver.lines!.prompt({ ref: refOf(input), text: spokenText(input.text), session: task.sessionId })
  const question = questionOf(input, open)
  if (question === undefined || question.ref === null) return null
  const asked = { ref: question.ref, question: question.text, options: question.options }
  return driver.lines!.answer(asked, { option: input.option, text: input.text })
}

/** False when it cannot be told anything any more. */
async function say(
  input: Input,
  line: string,
  watch: Watch,
  core: Pick<Core, 'clock' | 'commit' | 'log' | 'runFiles'>,
): Promise<boolean> {
  const { task, run } = watch
  const at = core.clock.now()
  const offset = run.inputLength
  await core.commit({ say: sayInput(input, { runId: run.id, at, written: { line, offset } }) })
  if (!(await writeInputLine(offset, line, watch, core))) return false
  if (isPrompt(input) && isBetweenTurns(task)) await beginTurn(input, watch, core)
  return true
}

export async function beginTurn(
  { number, by }: Input,
  watch: Watch,
  core: Pick<Core, 'clock' | 'commit'>,
): Promise<void> {
  const { task } = watch
  await core.commit({
    task: moveTask({
      id: task.id,
      from: 'running',
      event: 'turn_began',
      reason: `prompt ${number} from ${by}`,
      evidence: [saw('store', `input ${number} was sent`)],
      at: core.clock.now(),
    }),
  })
}

/** Once per daemon: a crash between store and file left a suffix missing. */
async function writeAgain(
  watch: Watch,
  core: Pick<Core, 'clock' | 'commit' | 'log' | 'runFiles'> & Reads<ConversationReads>,
): Promise<boolean> {
  if (watch.inputWritten) return true
  const { run } = watch
  for (const { runId, line, offset } of await core.store.inputs(watch.task.id))
    if (runId === run.id && line !== null && offset !== null)
      if (!(await writeInputLine(offset, line, watch, core))) return false
  watch.inputWritten = true
  return true
}

/** One that does not stay ends with its last turn. */
async function endWhenOver(inputs: readonly Input[], watch: Watch, core: SpeakingNeeds): Promise<void> {
  const { task, run } = watch
  if (staysWhenIdle(task) || run.result === null) return
  if (inputs.every((input) => !isPrompt(input) || isDone(input, run.id))) await endInput(watch, core)
}

/** A turn of an earlier run was gone on with. */
const isDone = ({ doneAt, saidAt, runId }: Input, current: RunId) =>
  doneAt !== null || (saidAt !== null && runId !== current)

/** At the end of its input an agent leaves by itself; one that does not is ended after the usual grace, and one whose run directory is gone at once. */
export async function endInput(watch: Watch, core: SpeakingNeeds): Promise<void> {
  if (!core.runFiles.has(watch.run.id)) return endRun(watch, core)
  const feeder = await core.runFiles.feeder(watch.run.id)
  if (feeder === undefined || !core.processes.isAlive(feeder)) return
  core.processes.signal(feeder, 'SIGTERM')
  core.clock.after(watch.task.snapshot.killGraceMs, () => {
    if (core.watched.get(watch.task.id) === watch)
      void core.withLock(watch.task.id, () => endRun(watch, core)).catch(() => {})
  })
}
