// Owns what is said to a run by lines: each input is stored with its place first, then written, so that none is lost or doubled.
import { saw } from '../domain/evidence.ts'
import type { RunId } from '../domain/ids.ts'
import { spokenText } from '../domain/spoken-text.ts'
import type { Input, Question } from '../domain/task.ts'
import type { AgentDriver } from '../ports/agent-driver.ts'
import type { Core, Watch } from './core.ts'
import { driverOf } from './driver-of.ts'
import { endRun } from './end-run.ts'
import { hearsBy, staysWhenIdle } from './hearing.ts'
import { isPrompt, openTurn, refOf } from './said.ts'
import { showTask } from './show-task.ts'
import { refresh } from './watch-task.ts'

/** Says everything that can be said now; ends the conversation when nothing more will come. */
export async function speak(watch: Watch, core: Core): Promise<void> {
  const driver = driverOf(watch.task, core)
  if (watch.run.state !== 'live' || hearsBy(watch.task, driver) !== 'lines') return
  await writeAgain(watch, core)
  for (;;) {
    const inputs = await core.store.inputs(watch.task.id)
    const open = await core.store.openQuestions(watch.task.id)
    const next = nextToSay(inputs, open, watch.run.id)
    if (next === undefined) return endWhenOver(inputs, watch, core)
    if (next.kind === 'end') return endInput(watch, core)
    const line = lineFor(next, open, driver, watch)
    // It has said how it ended before anything could be said to it.
    if (line === null) return watch.run.result === null ? undefined : endInput(watch, core)
    await say(next, line, watch, core)
  }
}

/** Answers go at once; a prompt waits for its turn, and while a question is open. */
export function nextToSay(
  inputs: readonly Input[],
  open: readonly Question[],
  runId: RunId,
): Input | undefined {
  const unsaid = inputs.filter(({ saidAt }) => saidAt === null)
  const answer = unsaid.find((input) => input.kind === 'answer' && questionOf(input, open) !== undefined)
  if (answer !== undefined) return answer
  if (open.length > 0 || openTurn(inputs, runId) !== undefined) return undefined
  // One that goes on is told so before anything else.
  return unsaid.find(({ kind }) => kind === 'continuation') ?? unsaid.find(({ kind }) => kind !== 'answer')
}

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

async function say(input: Input, line: string, watch: Watch, core: Core): Promise<void> {
  const { task, run } = watch
  const at = core.clock.now()
  const offset = run.inputLength
  await core.store.say({
    taskId: task.id,
    number: input.number,
    runId: run.id,
    at,
    written: { line, offset },
  })
  await core.runFiles.writeInput(run.id, offset, line)
  if (isPrompt(input) && task.phase === 'idle') await beginTurn(input, watch, core)
  await refresh(watch, core)
}

export async function beginTurn({ number, by }: Input, watch: Watch, core: Core): Promise<void> {
  const { task } = watch
  await core.store.record({
    task: {
      id: task.id,
      from: 'running',
      event: 'turn_began',
      reason: `prompt ${number} from ${by}`,
      evidence: [saw('store', `input ${number} said`)],
      at: core.clock.now(),
    },
  })
  await refresh(watch, core)
  await showTask(watch.task, core)
}

/** Once per daemon: a crash between store and file left a suffix missing. */
async function writeAgain(watch: Watch, core: Core): Promise<void> {
  if (watch.inputWritten) return
  const { run } = watch
  for (const { runId, line, offset } of await core.store.inputs(watch.task.id))
    if (runId === run.id && line !== null && offset !== null)
      await core.runFiles.writeInput(run.id, offset, line)
  watch.inputWritten = true
}

/** One that does not stay ends with its last turn. */
async function endWhenOver(inputs: readonly Input[], watch: Watch, core: Core): Promise<void> {
  const { task, run } = watch
  if (staysWhenIdle(task) || run.result === null) return
  if (inputs.every((input) => !isPrompt(input) || isDone(input, run.id))) await endInput(watch, core)
}

/** A turn of an earlier run was gone on with. */
const isDone = ({ doneAt, saidAt, runId }: Input, current: RunId) =>
  doneAt !== null || (saidAt !== null && runId !== current)

/** At the end of its input an agent leaves by itself; one that does not is ended after the usual grace. */
async function endInput(watch: Watch, core: Core): Promise<void> {
  const feeder = await core.runFiles.feeder(watch.run.id)
  if (feeder === undefined || !core.processes.isAlive(feeder)) return
  core.processes.signal(feeder, 'SIGTERM')
  core.clock.after(watch.task.snapshot.killGraceMs, () => {
    if (core.watched.get(watch.task.id) === watch)
      void core.alone(watch.task.id, () => endRun(watch, core)).catch(() => {})
  })
}
