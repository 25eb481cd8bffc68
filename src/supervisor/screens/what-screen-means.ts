// Owns what a screen means for a terminal run's task, beside what its agent tells itself. Pure.

import { moveTask } from '../../changes/move-task.ts'
import { isBetweenTurns } from '../../delivery/inputs/begin-turn.ts'
import type { Sent } from '../../delivery/typing/box-of.ts'
import type { ScreenSeen } from '../../delivery/typing/screen-seen.ts'
import { HOLDFAST_ASKS } from '../../domain/conversation/holdfast-question.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { PlainEvent } from '../../domain/task/state.ts'
import type { Input, Question, Run, Task } from '../../domain/task/task.ts'
import { isAtRest, type ScreenReading } from '../../ports/screen.ts'
import type { Change } from '../../ports/store-changes.ts'
import { INTERRUPTED, stoppedQuestion } from '../reading/stopped-by-person.ts'
import type { Watch } from '../task/core.ts'

type Watched = Pick<Watch, 'task' | 'run'>

export type Sight = {
  readonly reading: ScreenReading
  readonly seen: ScreenSeen
  /** A prompt of ours that is not done. */
  readonly turn: Pick<Input, 'heardAt' | 'number'> | undefined
  /** Whether that prompt left the box for the agent, as far as the screen tells. */
  readonly sent?: Sent
  /** Questions whose answers wait to be typed. */
  readonly unsaid?: readonly number[]
  /** Turns are told by events; the screen only fills what they leave out. */
  readonly told: boolean
}

/** Looks in a row that must show the same: a single one may catch a screen half drawn. */
export const SURE_LOOKS = 2
/** Looks before a dialog is believed that no event told of. An event usually comes first, but some dialogs have none. */
const SURE_WITHOUT_WORD = 6
/** Looks before a turn is taken for interrupted. An interruption has no event either; but if the event of an ordinary end is only late, a person would be asked for nothing. */
const SURE_INTERRUPTED = 12
/** Looks before a turn that was never seen at work is taken for over: it may not have begun, or was too quick to be seen. */
const SURE_WITHOUT_WORK = 8
/** Looks before a prompt counts as unheard, of an agent that reports when it begins. Its report may have been lost with a daemon. */
export const SURE_UNHEARD = 40

export function whatScreenMeans(
  sight: Sight,
  watch: Watched,
  open: readonly Question[],
  at: number,
): Change | undefined {
  const { reading, seen } = sight
  const { task } = watch
  if (seen.looks < SURE_LOOKS) return undefined
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

/** A screen may lag behind the word that its turn is over. */
const worksAgain = ({ seen, told }: Sight) => !told || seen.rested || seen.looks >= SURE_UNHEARD

/** Who tells of every end of a turn has not told of this one: nothing fires on an interruption. */
const wasInterrupted = ({ reading, told, turn }: Sight) =>
  reading.phase === 'idle' && (reading.interrupted === true || (told && turn?.heardAt !== null))

const stoppedByPerson = ({ reading }: Sight, watch: Watched, at: number): Change => ({
  ...move(watch.task, 'person_stopped', reading, INTERRUPTED, at),
  question: stoppedQuestion(watch, at),
})

/** Its agent has not told that it heard it, nor was it seen to. */
const isLost = ({ sent, turn }: Sight) => sent === 'unsent' && turn?.heardAt === null

const typedInVain = ({ reading, turn }: Sight, { task, run }: Watched, at: number): Change => ({
  ...(task.phase === 'working'
    ? move(task, 'turn_finished', reading, `prompt ${turn!.number} was typed and did not arrive`, at)
    : {}),
  takeBack: { taskId: task.id, runId: run.id, number: turn!.number },
})

/** Idle with a prompt of ours not begun is no end of a turn. A person's own turn is one that was seen. */
export const turnIsOver = (sight: Sight, task: Pick<Task, 'phase'>) =>
  !isUnproven(sight) &&
  (sight.turn !== undefined || sight.seen.worked) &&
  isInTurn(sight, task) &&
  isAtRest(sight.reading) &&
  sight.seen.looks >= sureLooks(sight)

/** What was said may not have been known again in its own words for it: it is over when the screen says so. */
const isInTurn = ({ turn, told }: Sight, { phase }: Pick<Task, 'phase'>) =>
  phase === 'working' || (phase === 'idle' && turn !== undefined && !told)

const isUnproven = ({ sent, turn }: Sight) =>
  turn?.heardAt === null && (sent === 'unproven' || sent === 'unsent')

function sureLooks({ seen, told, turn, reading }: Sight): number {
  if (told && reading.phase === 'idle' && reading.interrupted !== true)
    return turn?.heardAt === null || !seen.worked ? SURE_UNHEARD : SURE_INTERRUPTED
  // It may still be what an earlier turn ended with.
  if (reading.phase !== 'idle' && !seen.worked && !seen.changed) return SURE_UNHEARD
  if (!seen.worked) return SURE_WITHOUT_WORK
  return told ? SURE_WITHOUT_WORD : SURE_LOOKS
}

const wordsFor = ({ phase, evidence }: ScreenReading) =>
  phase === 'idle' ? 'its turn is over' : evidence.trim().slice(0, 300)

/** Who tells by events tells this too, and better. */
function asked(
  { reading: { question, evidence }, seen, told, unsaid = [] }: Sight,
  { task, run }: Watched,
  open: readonly Question[],
  at: number,
): Change | undefined {
  const text = question?.text ?? evidence
  const options = question?.options ?? []
  const over = open.filter((one) => isAnother(one, text, seen, unsaid))
  if (over.length < open.length || (told && seen.looks < SURE_WITHOUT_WORD)) return undefined
  const reason = options.length === 0 ? text : `${text} (${options.join(' / ')})`
  return {
    ...(task.status === 'running' ? move(task, 'question_asked', { evidence }, reason, at) : {}),
    question: { taskId: task.id, runId: run.id, text, options, ref: null, askedAt: at },
    settled: { taskId: task.id, at, numbers: over.map(({ number }) => number) },
  }
}

/** Its answer was typed, and a dialog is still there: the next one. Looks are counted from the typing; an answer that is not typed yet has no such next one. */
const isAnother = (
  { number, ref, answer, text }: Question,
  shown: string,
  { looks }: ScreenSeen,
  unsaid: readonly number[],
) =>
  ref === null &&
  answer !== null &&
  (text !== shown || (looks >= SURE_WITHOUT_WORK && !unsaid.includes(number)))

/** One that waits for its line may not be drawn yet. */
function afterAsking(
  sight: Sight,
  { task, run }: Watched,
  open: readonly Question[],
  at: number,
): Change | undefined {
  const { reading } = sight
  const ours = open.filter(({ ref }) => ref === HOLDFAST_ASKS)
  if (ours.length > 0 && reading.phase === 'working')
    return worksAgain(sight) ? goesOn(task, reading, open, at) : undefined
  if (ours.length > 0)
    return hadShortTurn(sight, task, ours, run.id) ? wentOn(task, reading, open, at) : undefined
  const awaitsItsLine = open.some(({ ref, answer }) => ref !== null && answer === null)
  if (awaitsItsLine || !(isAtRest(reading) || reading.phase === 'working')) return undefined
  return {
    ...move(task, 'question_settled', reading, 'its dialog is gone', at),
    settled: { taskId: task.id, at, numbers: open.map(({ number }) => number) },
  }
}

/**
 * A turn that began and ended between two looks: the screen of an agent that tells nothing shows how its last turn
 * ended, and that is no longer the interruption after which the person was asked.
 */
const hadShortTurn = (
  { reading, seen, told }: Sight,
  { phase }: Task,
  ours: readonly Question[],
  runId: Run['id'],
) =>
  !told &&
  phase === 'stopped_by_person' &&
  ours.every((question) => question.runId === runId && question.answer === null) &&
  isAtRest(reading) &&
  reading.interrupted !== true &&
  seen.looks >= SURE_WITHOUT_WORK

const wentOn = (task: Task, reading: ScreenReading, open: readonly Question[], at: number): Change => ({
  ...move(task, 'turn_finished', reading, 'a person went on in its terminal, and that turn is over', at),
  settled: { taskId: task.id, at, numbers: open.map(({ number }) => number) },
})

/** The person went on in its terminal. */
const goesOn = (task: Task, reading: ScreenReading, open: readonly Question[], at: number): Change => ({
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
