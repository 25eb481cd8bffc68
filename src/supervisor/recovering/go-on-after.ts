// Owns how a task goes on after an early end: in its session, or anew, and with which words.

import { hearsBy, tellsWhatItHears } from '../../delivery/inputs/hearing.ts'
import { openTurn } from '../../delivery/inputs/said.ts'
import { type AnewBecause, withResumeContext } from '../../domain/recovery/resume-context.ts'
import { CONTINUATION, CONTINUATION_AFTER_LIMIT, type GoOn } from '../../domain/task/go-on.ts'
import type { Input, Run, Task } from '../../domain/task/task.ts'
import type { AgentDriver } from '../../ports/agent-driver.ts'
import { promptOf } from '../task/prompt-of.ts'

/** What is known of a task between two runs. */
export type Between = {
  readonly task: Task
  /** All of the task, oldest first. */
  readonly runs: readonly Run[]
  readonly inputs: readonly Input[]
  readonly driver: AgentDriver
  readonly sessionIsLost: boolean
  /** It asked something: then its session has begun. */
  readonly hasAsked?: boolean
}

export function goOnAfter(between: Between): GoOn {
  if (canResume(between)) return { how: 'resume', say: wordsFor(between) }
  if (isUntold(between)) return { how: 'fresh', say: null }
  return mayHaveTouched(between) ? withContext(between, 'lost') : fresh(between)
}

/** The session is left behind. */
export function beginAnew(between: Between, because: AnewBecause): GoOn {
  if (isUntold(between)) return { how: 'fresh', say: null }
  return mayHaveTouched(between) ? withContext(between, because) : { how: 'fresh', say: firstWords(between) }
}

/** It ended before anything was said to it: its prompt still waits. A runtime may have none. */
const isUntold = ({ task, inputs }: Between) =>
  (inputs.length > 0 || task.snapshot.standing === true) && inputs.every(({ saidAt }) => saidAt === null)

const withContext = ({ task, runs, driver }: Between, because: AnewBecause): GoOn => ({
  how: 'with_context',
  say: withResumeContext(promptOf(task, driver), runs, because),
})

/** A prompt that it never heard waits to be said again. */
function fresh(between: Between): GoOn {
  const { inputs } = between
  const waits = inputs[0] !== undefined && !isHeard(inputs[0], between)
  return { how: 'fresh', say: waits ? null : firstWords(between) }
}

/** Null for a runtime that was given none. */
const firstWords = ({ task, driver }: Between) => promptOf(task, driver) || null

/** An id that we chose is only a session's once something was said in it. */
export function canResume(between: Between): boolean {
  const { task, runs, inputs, driver, sessionIsLost } = between
  if (task.sessionId === null || !driver.can.resume || sessionIsLost) return false
  if (hearsBy(task, driver) === 'nothing') return between.hasAsked === true || hasBegun(between)
  return (
    driver.can.sessionId === 'told' ||
    runs.some(({ eventsOffset, eventsLost }) => eventsOffset + eventsLost > 0) ||
    inputs.some((input) => isHeard(input, between))
  )
}

/** A prompt that it got at its start may not stand in its transcript yet: what it does or says shows that it does. */
function hasBegun({ task, runs, driver }: Between): boolean {
  const ofSession = runs.slice(
    Math.max(
      0,
      runs.findLastIndex(({ how }) => how !== 'resume'),
    ),
  )
  const mustTell = tellsTools(task, driver)
  return ofSession.some((run) => spoke(run) || hasTraces(run) || (!mustTell && run.state !== 'void'))
}

const spoke = ({ lastWords, result, failure }: Run) => (lastWords ?? result ?? failure) !== null

/** Only a record that would tell of every tool call can prove that there was none. */
function mayHaveTouched(between: Between): boolean {
  const { task, runs, driver } = between
  const mustTell = toolsTold(task, driver) === 'as_they_begin' || isUnheard(between)
  return runs.some((run) => hasTraces(run) || (!mustTell && run.state !== 'void'))
}

const hasTraces = ({ tools, unknownLines, eventsLost }: Run) => tools > 0 || unknownLines + eventsLost > 0

const toolsTold = ({ mode }: Task, { can }: AgentDriver) =>
  mode === 'headless' ? can.toolsTold.headless : can.toolsTold.terminal

/** As they begin, or a moment late. */
const tellsTools = (task: Task, driver: AgentDriver) =>
  ['as_they_begin', 'a_moment_late'].includes(toolsTold(task, driver))

/** Nothing is done for a prompt that was never heard. */
const isUnheard = (between: Between) =>
  between.inputs.length > 0 && between.inputs.every((input) => !isHeard(input, between))

/** Nothing at all when its last turn was over, or when what was last said never reached it: that is said again. */
function wordsFor(between: Between): string | null {
  const { task, runs, inputs, driver } = between
  const last = runs.at(-1)
  const continuation = last?.failure === 'limit' ? CONTINUATION_AFTER_LIMIT : CONTINUATION
  if (hearsBy(task, driver) === 'nothing') return wordsNotTaken(between) ?? continuation
  const turn = last === undefined ? undefined : openTurn(inputs, last.id)
  if (turn === undefined) return last?.result?.ok === false ? continuation : null
  return turn.kind === 'prompt' && !isHeard(turn, between) ? null : continuation
}

/** What it was resumed with, an answer perhaps, and of which it showed nothing: it may not stand in its transcript. */
function wordsNotTaken({ runs }: Between): string | null {
  const last = runs.at(-1)
  return last?.how === 'resume' && !spoke(last) && !hasTraces(last) ? last.told : null
}

/** Where nobody tells, or its word was lost, what was sent was heard: better once too few than done twice. */
function isHeard({ heardAt, saidAt, runId }: Input, { task, runs, driver }: Between): boolean {
  if (heardAt !== null || saidAt === null) return heardAt !== null
  return !canTellHearing(
    task,
    runs.find(({ id }) => id === runId),
    driver,
  )
}

/** True for an agent that reports what it hears, and whose reports were not lost: what it did not report, it has not heard. */
export const canTellHearing = (task: Task, run: Run | undefined, driver: AgentDriver) =>
  tellsWhatItHears(task, driver) && run?.eventsLost !== 1
