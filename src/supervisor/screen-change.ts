// Owns what a screen means for a terminal run's task, beside what its agent tells itself. Pure.
import { saw } from '../domain/evidence.ts'
import { HOLDFAST_ASKS } from '../domain/holdfast-question.ts'
import type { Input, Question, Task } from '../domain/task.ts'
import type { TaskEvent } from '../domain/task-machine.ts'
import type { ScreenReading } from '../ports/screen.ts'
import type { Change } from '../ports/store-changes.ts'
import type { Watch } from './core.ts'
import { isQuiet, type ScreenSeen } from './screen-seen.ts'
import { INTERRUPTED, stoppedQuestion } from './stopped-by-person.ts'

type Watched = Pick<Watch, 'task' | 'run'>

export type Sight = {
  readonly reading: ScreenReading
  readonly seen: ScreenSeen
  /** A prompt of ours that is not done. */
  readonly turn: Pick<Input, 'heardAt'> | undefined
  /** Turns are told by events; the screen only fills what they leave out. */
  readonly told: boolean
}

/** One look may catch a screen half drawn. */
const SURE_LOOKS = 2
/** Events come first; a dialog may have none. */
const SURE_WITHOUT_WORD = 6
/** Nor has an interrupted turn; but to say so of one whose word is late would wake somebody for nothing. */
const SURE_INTERRUPTED = 12
/** It may not have begun yet; or it was too quick to be seen at work. */
const SURE_WITHOUT_WORK = 8
/** It tells when it begins, and has not, or has and was not drawn at work: its word may have been lost with a daemon. */
export const SURE_UNHEARD = 40

export function screenChange(
  sight: Sight,
  watch: Watched,
  open: readonly Question[],
  at: number,
): Change | undefined {
  const { reading, seen } = sight
  const { task } = watch
  if (seen.looks < SURE_LOOKS) return undefined
  if (reading.phase === 'asking') return asked(sight, watch, open, at)
  if (task.status === 'waiting_input') return settled(sight, watch, open, at)
  if (reading.phase === 'working' && task.phase === 'idle')
    return worksAgain(sight) ? move(task, 'turn_began', reading, 'it works again', at) : undefined
  if (!turnIsOver(sight, task)) return undefined
  return wasInterrupted(sight)
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

/** Idle with a prompt of ours not begun is no end of a turn. A person's own turn is one that was seen. */
export const turnIsOver = (sight: Sight, task: Pick<Task, 'phase'>) =>
  (sight.turn !== undefined || sight.seen.worked) &&
  task.phase === 'working' &&
  isQuiet(sight.reading) &&
  sight.seen.looks >= sureLooks(sight)

function sureLooks({ seen, told, turn, reading }: Sight): number {
  if (told && reading.phase === 'idle' && reading.interrupted !== true)
    return turn?.heardAt === null || !seen.worked ? SURE_UNHEARD : SURE_INTERRUPTED
  if (!seen.worked) return SURE_WITHOUT_WORK
  return told ? SURE_WITHOUT_WORD : SURE_LOOKS
}

const wordsFor = ({ phase, evidence }: ScreenReading) =>
  phase === 'idle' ? 'its turn is over' : evidence.trim().slice(0, 300)

/** Who tells by events tells this too, and better. */
function asked(
  { reading: { question, evidence }, seen, told }: Sight,
  { task, run }: Watched,
  open: readonly Question[],
  at: number,
): Change | undefined {
  const text = question?.text ?? evidence
  const options = question?.options ?? []
  const over = open.filter((one) => isAnother(one, text, seen))
  if (over.length < open.length || (told && seen.looks < SURE_WITHOUT_WORD)) return undefined
  const reason = options.length === 0 ? text : `${text} (${options.join(' / ')})`
  return {
    ...(task.status === 'running' ? move(task, 'question_asked', { evidence }, reason, at) : {}),
    question: { taskId: task.id, runId: run.id, text, options, ref: null, askedAt: at },
    settled: { taskId: task.id, at, numbers: over.map(({ number }) => number) },
  }
}

/** Its answer was typed, and a dialog is still there: the next one. Looks are counted from the typing. */
const isAnother = ({ ref, answer, text }: Question, shown: string, { looks }: ScreenSeen) =>
  ref === null && answer !== null && (text !== shown || looks >= SURE_WITHOUT_WORK)

/** One that waits for its line may not be drawn yet. */
function settled(
  { reading }: Sight,
  { task }: Watched,
  open: readonly Question[],
  at: number,
): Change | undefined {
  const ours = open.some(({ ref }) => ref === HOLDFAST_ASKS)
  if (ours) return reading.phase === 'working' ? goesOn(task, reading, open, at) : undefined
  const awaitsItsLine = open.some(({ ref, answer }) => ref !== null && answer === null)
  if (awaitsItsLine || !(isQuiet(reading) || reading.phase === 'working')) return undefined
  return {
    ...move(task, 'question_settled', reading, 'its dialog is gone', at),
    settled: { taskId: task.id, at, numbers: open.map(({ number }) => number) },
  }
}

/** The person went on in its terminal. */
const goesOn = (task: Task, reading: ScreenReading, open: readonly Question[], at: number): Change => ({
  ...move(task, 'question_settled', reading, 'it works again', at),
  settled: { taskId: task.id, at, numbers: open.map(({ number }) => number) },
})

const move = (
  { id, status }: Pick<Task, 'id' | 'status'>,
  event: TaskEvent,
  { evidence }: Pick<ScreenReading, 'evidence'>,
  reason: string,
  at: number,
): Change => ({
  task: { id, from: status, event, reason, evidence: [saw('screen', evidence.trim().slice(0, 200))], at },
})
