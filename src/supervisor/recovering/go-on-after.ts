// Owns how a task goes on after its run ended early: in its session, or anew, and with which words.

import { hearsBy, tellsWhatItHears } from '../../delivery/inputs/hearing.ts'
import { openTurn } from '../../delivery/inputs/said.ts'
import { type StartOverReason, withResumeContext } from '../../domain/recovery/resume-context.ts'
import { CONTINUATION, CONTINUATION_AFTER_LIMIT, type GoOn } from '../../domain/task/go-on.ts'
import type { Input } from '../../domain/task/input.ts'
import type { Run } from '../../domain/task/run.ts'
import type { Task } from '../../domain/task/task.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import { promptOf } from '../task/prompt-of.ts'

/** What is known of a task between two runs. */
export type Between = {
  readonly task: Task
  /** All runs of the task, oldest first. */
  readonly runs: readonly Run[]
  readonly inputs: readonly Input[]
  readonly driver: AgentDriver
  readonly sessionIsLost: boolean
  /** The agent asked something, which proves that its session has begun. */
  readonly hasAsked?: boolean
  /** It was asking when its run ended: so it had taken the words that the run began with. */
  readonly wasAsking?: boolean
}

export function goOnAfter(between: Between): GoOn {
  if (canResume(between)) return { how: 'resume', say: wordsFor(between) }
  if (isUntold(between)) return { how: 'fresh', say: null }
  return mayHaveTouched(between) ? withContext(between, 'lost') : fresh(between)
}

/**
 * How a task goes on in its other mode. The order says how its session is resumed; a session that never began cannot
 * be, and the task begins there with its own words.
 */
export const inOtherMode = (ordered: GoOn, possible: GoOn): GoOn =>
  possible.how === 'resume' ? ordered : possible

/** For a task that goes on without its session. */
export function beginAnew(between: Between, because: StartOverReason): GoOn {
  if (isUntold(between)) return { how: 'fresh', say: null }
  return mayHaveTouched(between) ? withContext(between, because) : { how: 'fresh', say: firstWords(between) }
}

/** Nothing was ever said to the agent: the first prompt still waits. A runtime may have none. */
const isUntold = ({ task, inputs }: Between) =>
  (inputs.length > 0 || task.snapshot.standing === true) && inputs.every(({ saidAt }) => saidAt === null)

const withContext = ({ task, runs, driver }: Between, because: StartOverReason): GoOn => ({
  how: 'with_context',
  say: withResumeContext(promptOf(task, driver), runs, because),
})

/** Nothing is added to a first prompt that was never heard: that prompt is said again. */
function fresh(between: Between): GoOn {
  const { inputs } = between
  const waits = inputs[0] !== undefined && !isHeard(inputs[0], between)
  return { how: 'fresh', say: waits ? null : firstWords(between) }
}

/** Null for a runtime that was given no first prompt. */
const firstWords = ({ task, driver }: Between) => promptOf(task, driver) || null

/** A session id that we chose names a session only after something was said in it, not in one before. */
export function canResume(between: Between): boolean {
  const { task, inputs, driver, sessionIsLost } = between
  if (task.sessionId === null || !driver.can.resume || sessionIsLost) return false
  if (hearsBy(task, driver) === 'nothing') return between.hasAsked === true || hasBegun(between)
  const runs = runsOfSession(between)
  const isOfSession = ({ runId }: Input) => runs.some(({ id }) => id === runId)
  return (
    driver.can.sessionId === 'told' ||
    runs.some(({ eventsOffset, eventsLost }) => eventsOffset + eventsLost > 0) ||
    inputs.some((input) => isOfSession(input) && isHeard(input, between))
  )
}

/** The runs of its present session: the one that began it, and those that resumed it. */
const runsOfSession = ({ runs }: Pick<Between, 'runs'>) =>
  runs.slice(
    Math.max(
      0,
      runs.findLastIndex(({ how }) => how !== 'resume'),
    ),
  )

/**
 * A prompt given at the start may not be in the transcript yet; what the agent did or said since proves that it is. So
 * does a run that resumed it: there was such a proof then, perhaps a question that was answered.
 * An agent that does not report its tool calls is assumed to have begun.
 */
function hasBegun(between: Between): boolean {
  const { task, driver } = between
  const reportsTools = tellsTools(task, driver)
  return runsOfSession(between).some(
    (run) =>
      spoke(run) || hasTraces(run) || ((!reportsTools || run.how === 'resume') && run.state !== 'void'),
  )
}

const spoke = ({ lastWords, result, failure }: Run) => (lastWords ?? result ?? failure) !== null

/**
 * Whether a run may have changed something. Only reports of all tool calls, as they begin, can prove
 * that no tool was called.
 */
function mayHaveTouched(between: Between): boolean {
  const { task, runs, driver } = between
  const wouldLeaveTraces = toolsTold(task, driver) === 'as_they_begin' || isUnheard(between)
  return runs.some((run) => hasTraces(run) || (!wouldLeaveTraces && run.state !== 'void'))
}

const hasTraces = ({ tools, unknownLines, eventsLost }: Run) => tools > 0 || unknownLines + eventsLost > 0

const toolsTold = ({ mode }: Task, { can }: AgentDriver) =>
  mode === 'headless' ? can.toolsTold.headless : can.toolsTold.terminal

/** Whether the agent reports its tool calls, at once or a moment late. */
const tellsTools = (task: Task, driver: AgentDriver) =>
  ['as_they_begin', 'a_moment_late'].includes(toolsTold(task, driver))

/** No prompt was heard, so nothing was done for one. */
const isUnheard = (between: Between) =>
  between.inputs.length > 0 && between.inputs.every((input) => !isHeard(input, between))

/**
 * What a resumed agent is told. Null when its last turn was over, or when the last prompt never reached it: that
 * prompt is said again.
 */
function wordsFor(between: Between): string | null {
  const { task, runs, inputs, driver } = between
  const last = runs.at(-1)
  const continuation = last?.failure === 'limit' ? CONTINUATION_AFTER_LIMIT : CONTINUATION
  if (hearsBy(task, driver) === 'nothing') return wordsNotTaken(between) ?? continuation
  const turn = last === undefined ? undefined : openTurn(inputs, last.id)
  if (turn === undefined) return last?.result?.ok === false ? continuation : null
  return turn.kind === 'prompt' && !isHeard(turn, between) ? null : continuation
}

/** The words, an answer perhaps, that the last run was resumed with and gave no sign of: its transcript may lack them. Null for an agent that hears while it lives: its inputs are kept. */
export function wordsNotTaken({ task, runs, driver, wasAsking }: Between): string | null {
  const last = runs.at(-1)
  if (hearsBy(task, driver) !== 'nothing' || wasAsking === true) return null
  return last?.how === 'resume' && !spoke(last) && !hasTraces(last) ? last.told : null
}

/** If the agent does not report what it hears, or reports were lost, sent counts as heard: better not done than done twice. */
function isHeard({ heardAt, saidAt, runId }: Input, { task, runs, driver }: Between): boolean {
  if (heardAt !== null || saidAt === null) return heardAt !== null
  return !canTellHearing(
    task,
    runs.find(({ id }) => id === runId),
    driver,
  )
}

/** True for an agent that reports what it hears, and whose reports were not lost: it has heard nothing else. */
export const canTellHearing = (task: Task, run: Run | undefined, driver: AgentDriver) =>
  tellsWhatItHears(task, driver) && run?.eventsLost !== 1
