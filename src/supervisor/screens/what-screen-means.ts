// Owns what a screen means for a terminal run's task, in addition to what its agent reports. Pure.

import { moveTask } from '../../changes/move-task.ts'
import { isBetweenTurns } from '../../delivery/inputs/begin-turn.ts'
import type { Sent } from '../../delivery/typing/box-of.ts'
import type { ScreenSeen } from '../../delivery/typing/screen-seen.ts'
import { HOLDFAST_ASKS } from '../../domain/conversation/holdfast-question.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { Input } from '../../domain/task/input.ts'
import { askedText, type Question } from '../../domain/task/question.ts'
import type { Run } from '../../domain/task/run.ts'
import type { PlainEvent } from '../../domain/task/state.ts'
import type { Task } from '../../domain/task/task.ts'
import { dialogIn, isAtRest, type ScreenReading } from '../../ports/run/screen.ts'
import type { Change } from '../../ports/store/commits.ts'
import { INTERRUPTED, stoppedQuestion } from '../reading/stopped-by-person.ts'
import type { Watch } from '../task/core.ts'

type Watched = Pick<Watch, 'task' | 'run'>

export type Sight = {
  readonly reading: ScreenReading
  readonly seen: ScreenSeen
  /** The prompt of ours whose turn is not over. */
  readonly turn: Pick<Input, 'heardAt' | 'number'> | undefined
  /** Whether the prompt of `turn` left the input box, as far as the screen shows. */
  readonly sent?: Sent
  /** Numbers of the questions whose answers wait to be typed. */
  readonly unsaid?: readonly number[]
  /** The agent reports its turns by events; the screen only adds what they leave out. */
  readonly reportsEvents: boolean
}

/** So many looks in a row must show the same before a screen is believed: a single one may catch it half drawn. */
export const LOOKS_FOR_STABLE_SCREEN = 2
/** Looks before something is believed that no event reported, such as a dialog. An event usually comes first, but some dialogs have none. */
const LOOKS_FOR_UNREPORTED = 6
/**
 * Looks before a turn is taken for interrupted. An interruption has no event. But the event of an ordinary end may
 * only be late: then a person would be asked for nothing.
 */
const LOOKS_FOR_INTERRUPTED = 12
/** Looks before a turn that was never seen at work is taken for over: it may not have begun, or was too quick to be seen. */
const LOOKS_FOR_UNSEEN_WORK = 8
/**
 * Looks before a prompt counts as unheard, for an agent that reports when it begins a turn. The report may have been
 * lost with a daemon.
 */
export const LOOKS_FOR_UNHEARD = 40

export function whatScreenMeans(
  sight: Sight,
  watch: Watched,
  open: readonly Question[],
  at: number,
): Change | undefined {
  const { reading, seen } = sight
  const { task } = watch
  if (seen.looks < LOOKS_FOR_STABLE_SCREEN) return undefined
  if (reading.phase === 'asking') return asked(sight, watch, open, at)
  if (task.status === 'waiting_input') return afterAsking(sight, watch, open, at)
  if (reading.phase === 'working' && isBetweenTurns(task))
    return worksAgain(sight) ? move(task, 'turn_began', reading, 'it works again', at) : undefined
  if (isLost(sight)) return typedInVain(sight, watch, at)
  if (!turnIsOver(sight, task)) return undefined
  return wasInterrupted(sight) && task.snapshot.standing !== true
    ? stoppedByPerson(sight, watch, at)
    : move(task, 'turn_finished', reading, wordsFor(reading), at)
}

/** A screen may still show the last turn after an event reported its end: such a screen does not count. */
const worksAgain = ({ seen, reportsEvents }: Sight) =>
  !reportsEvents || seen.rested || seen.looks >= LOOKS_FOR_UNHEARD

/** An agent that reports the end of every turn reports no interruption: a turn that ended without a report was interrupted. */
const wasInterrupted = ({ reading, reportsEvents, turn }: Sight) =>
  reading.phase === 'idle' && (reading.interrupted === true || (reportsEvents && turn?.heardAt !== null))

const stoppedByPerson = ({ reading }: Sight, watch: Watched, at: number): Change => ({
  ...move(watch.task, 'person_stopped', reading, INTERRUPTED, at),
  question: stoppedQuestion(watch, at),
})

/** The prompt was typed, but the agent neither reported it nor was seen to take it. */
const isLost = ({ sent, turn }: Sight) => sent === 'unsent' && turn?.heardAt === null

const typedInVain = ({ reading, turn }: Sight, { task, run }: Watched, at: number): Change => ({
  ...(task.phase === 'working'
    ? move(task, 'turn_finished', reading, `prompt ${turn!.number} was typed and did not arrive`, at)
    : {}),
  takeBack: { taskId: task.id, runId: run.id, number: turn!.number },
})

/** An idle screen does not end a turn that has not begun. A person's own turn counts only if it was seen at work. */
export const turnIsOver = (sight: Sight, task: Pick<Task, 'phase'>) =>
  !isUnproven(sight) &&
  (sight.turn !== undefined || sight.seen.worked) &&
  isInTurn(sight, task) &&
  isAtRest(sight.reading) &&
  sight.seen.looks >= looksNeeded(sight)

/**
 * A task may be idle while a prompt of ours is open, when that prompt was not recognized in what the agent wrote.
 * Without events, the screen decides when such a turn is over.
 */
const isInTurn = ({ turn, reportsEvents }: Sight, { phase }: Pick<Task, 'phase'>) =>
  phase === 'working' || (phase === 'idle' && turn !== undefined && !reportsEvents)

const isUnproven = ({ sent, turn }: Sight) =>
  turn?.heardAt === null && (sent === 'unproven' || sent === 'unsent')

function looksNeeded({ seen, reportsEvents, turn, reading }: Sight): number {
  if (reportsEvents && reading.phase === 'idle' && reading.interrupted !== true)
    return turn?.heardAt === null || !seen.worked ? LOOKS_FOR_UNHEARD : LOOKS_FOR_INTERRUPTED
  // The error or limit on the screen may still be that of an earlier turn.
  if (reading.phase !== 'idle' && !seen.worked && !seen.changed) return LOOKS_FOR_UNHEARD
  if (!seen.worked) return LOOKS_FOR_UNSEEN_WORK
  return reportsEvents ? LOOKS_FOR_UNREPORTED : LOOKS_FOR_STABLE_SCREEN
}

const wordsFor = ({ phase, evidence }: ScreenReading) =>
  phase === 'idle' ? 'its turn is over' : evidence.trim().slice(0, 300)

/** A dialog is on the screen. An agent with events reports its question too, and better: its event is awaited first. */
function asked(
  { reading, seen, reportsEvents, unsaid = [] }: Sight,
  { task, run }: Watched,
  open: readonly Question[],
  at: number,
): Change | undefined {
  const text = dialogIn(reading) ?? ''
  const options = reading.question?.options ?? []
  const over = open.filter((one) => isAnother(one, text, seen, unsaid))
  if (over.length < open.length || (reportsEvents && seen.looks < LOOKS_FOR_UNREPORTED)) return undefined
  return {
    ...(task.status === 'running'
      ? move(task, 'question_asked', reading, askedText({ text, options }), at)
      : { event: { kind: 'question_added', at, taskId: task.id, data: { run_id: run.id } } as const }),
    question: { taskId: task.id, runId: run.id, text, options, ref: null, askedAt: at },
    settled: { taskId: task.id, at, numbers: over.map(({ number }) => number) },
  }
}

/**
 * True when a question is over and the dialog on the screen is the next one: it shows another text, or it is still there
 * many looks after the answer was typed. Without an answer, the other text must stand for longer: it may be half drawn.
 */
const isAnother = (
  { number, ref, answer, text }: Question,
  shown: string,
  { looks }: ScreenSeen,
  unsaid: readonly number[],
) =>
  ref === null &&
  (answer === null
    ? text !== shown && looks >= LOOKS_FOR_UNREPORTED
    : text !== shown || (looks >= LOOKS_FOR_UNSEEN_WORK && !unsaid.includes(number)))

/** The dialog of a question that an event reported may not be drawn yet: without an answer, that question stays open. */
function afterAsking(
  sight: Sight,
  { task, run }: Watched,
  open: readonly Question[],
  at: number,
): Change | undefined {
  const { reading } = sight
  const ours = open.filter(({ ref }) => ref === HOLDFAST_ASKS)
  if (ours.length > 0 && reading.phase === 'working')
    return worksAgain(sight) && !isStillStuck(sight, task, ours)
      ? closeAsWorking(task, reading, open, at)
      : undefined
  if (ours.length > 0)
    return hadShortTurn(sight, task, ours, run.id) ? closeAfterShortTurn(task, reading, open, at) : undefined
  const awaitsItsLine = open.some(({ ref, answer }) => ref !== null && answer === null)
  if (awaitsItsLine || !(isAtRest(reading) || reading.phase === 'working')) return undefined
  return {
    ...move(task, 'question_settled', reading, 'its dialog is gone', at),
    settled: { taskId: task.id, at, numbers: open.map(({ number }) => number) },
  }
}

/** A stuck agent's screen says that it works all the time. It works again when it has drawn something since people were asked. */
const isStillStuck = ({ seen }: Sight, { phase }: Task, ours: readonly Question[]) =>
  phase === 'stuck' && ours.some(({ askedAt }) => seen.activeAt * 1000 <= askedAt)

/**
 * A turn began and ended between two looks: the screen of an agent without events shows how its last turn ended, and
 * that is no longer the interruption after which the person was asked.
 */
const hadShortTurn = (
  { reading, seen, reportsEvents }: Sight,
  { phase }: Task,
  ours: readonly Question[],
  runId: Run['id'],
) =>
  !reportsEvents &&
  phase === 'stopped_by_person' &&
  ours.every((question) => question.runId === runId && question.answer === null) &&
  isAtRest(reading) &&
  reading.interrupted !== true &&
  seen.looks >= LOOKS_FOR_UNSEEN_WORK

/** Closes the questions after a person went on in the terminal, in a turn that was over before it was seen. */
const closeAfterShortTurn = (
  task: Task,
  reading: ScreenReading,
  open: readonly Question[],
  at: number,
): Change => ({
  ...move(task, 'turn_finished', reading, 'a person went on in its terminal, and that turn is over', at),
  settled: { taskId: task.id, at, numbers: open.map(({ number }) => number) },
})

/** Closes the questions while the agent works, because a person went on in its terminal. */
const closeAsWorking = (
  task: Task,
  reading: ScreenReading,
  open: readonly Question[],
  at: number,
): Change => ({
  ...move(task, 'question_settled', reading, 'it works again', at),
  settled: { taskId: task.id, at, numbers: open.map(({ number }) => number) },
})

const move = (
  { id, status }: Pick<Task, 'id' | 'status'>,
  event: PlainEvent,
  { evidence }: Pick<ScreenReading, 'evidence'>,
  reason: string,
  at: number,
): Change => ({
  task: moveTask({
    id,
    from: status,
    event,
    reason,
    evidence: [saw('screen', evidence.trim().slice(0, 200))],
    at,
  }),
})
