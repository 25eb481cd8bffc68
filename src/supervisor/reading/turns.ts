// Owns what an agent's words mean for its task: it asks, it goes on, its turn is over, or a new turn began. Pure.

import { moveTask } from '../../changes/move-task.ts'
import { isBetweenTurns } from '../../delivery/inputs/begin-turn.ts'
import { isTurnOver } from '../../delivery/inputs/turn-over.ts'
import { isOwnQuestion } from '../../domain/conversation/holdfast-question.ts'
import { saw } from '../../domain/task/evidence.ts'
import { askedText, type Question } from '../../domain/task/question.ts'
import type { PlainEvent } from '../../domain/task/state.ts'
import { staysWhenIdle } from '../../domain/task/stays-when-idle.ts'
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Watch } from '../task/core.ts'
import { INTERRUPTED, isStoppedByPerson, stoppedQuestion } from './stopped-by-person.ts'

type Watched = Pick<Watch, 'task' | 'run'>
type Asked = AgentSays & { readonly kind: 'asked' }

const SAYS_NOTHING: ReadonlySet<AgentSays['kind']> = new Set([
  'usage',
  'unknown',
  'session',
  'note',
  'blocked',
])

/** The last event counts: an agent that asked and then went on is not asking any more. `open`: the task's questions that are not settled. */
export function changeOf(
  says: readonly AgentSays[],
  watch: Watched,
  open: readonly Question[],
  at: number,
): Change | undefined {
  const last = lastWord(says, watch)
  if (last === undefined) return undefined
  if (last.kind === 'asked') return asked(last, watch, open, at)
  const { task } = watch
  if (isStoppedByPerson(last, watch)) return stopped(last, watch, open, at)
  if (last.kind === 'finished' && staysWhenIdle(task))
    return { ...move(watch, 'turn_finished', last, 'its turn is over', at), ...closing(watch, open, at) }
  if (task.status === 'waiting_input') return closeQuestions(last, watch, open, at)
  const works = mayBeginTurn(watch) && last.kind !== 'finished'
  return works ? move(watch, 'turn_began', last, 'it works again', at) : undefined
}

/** A run that was not adopted yet begins a turn only if its task is idle: it may be read for the first time after it ended, and no turn begins then. */
const mayBeginTurn = ({ task, run }: Watched) =>
  isBetweenTurns(task) && (task.phase === 'idle' || run.state === 'live')

/** The last event that means something. The end of a tool that is reported after the end of its turn begins no turn: OpenCode reports this when it is interrupted. */
function lastWord(says: readonly AgentSays[], { task }: Watched): AgentSays | undefined {
  let isOver = isTurnOver(task)
  let last: AgentSays | undefined
  for (const said of says) {
    if (SAYS_NOTHING.has(said.kind) || (said.kind === 'tool_ended' && isOver)) continue
    last = said
    isOver = said.kind === 'finished'
  }
  return last
}

/**
 * Another question waits behind the open one, and closes those that were answered. It has an event of its own. One that
 * is reported twice is stored once: it has the same ref. Questions without a ref count as the same even when their texts differ: the screen may show a question in other words than the
 * agent's events, and a custom agent may print it again and again with a running clock in it. No agent without refs asks
 * two questions at once: it waits for the answer, and what it does next closes them all.
 */
function asked(said: Asked, watch: Watched, open: readonly Question[], at: number): Change | undefined {
  const { task, run } = watch
  const { question: text, options, ref = null } = said
  if (open.some((one) => (ref === null ? one.ref === null : one.ref === ref))) return undefined
  const question = { taskId: task.id, runId: run.id, text, options, ref, askedAt: at }
  if (open.length === 0) return { ...move(watch, 'question_asked', said, askedText(question), at), question }
  const event = { kind: 'question_added', at, taskId: task.id, data: { run_id: run.id } } as const
  return { question, event, ...closing(watch, open.filter(isAnswered), at) }
}

const isAnswered = ({ answer }: Question) => answer !== null

const stopped = (last: AgentSays, watch: Watched, open: readonly Question[], at: number): Change => ({
  ...move(watch, 'person_stopped', last, INTERRUPTED, at),
  ...closing(watch, open, at),
  question: stoppedQuestion(watch, at),
})

/** Closes questions when the agent goes on. One with a ref stays open until it is answered or the turn ends: other tools of the agent may go on meanwhile. */
function closeQuestions(
  last: AgentSays,
  watch: Watched,
  open: readonly Question[],
  at: number,
): Change | undefined {
  const over =
    last.kind === 'finished'
      ? open
      : open.filter((one) => one.ref === null || isOwnQuestion(one) || isAnswered(one))
  const settled = over.length === 0 && last.kind === 'answered' ? open.slice(0, 1) : over
  if (settled.length === 0 && open.length > 0) return undefined
  if (settled.length < open.length)
    return { ...closing(watch, settled, at), event: someClosed(watch, settled, at) }
  return { ...move(watch, 'question_settled', last, 'the agent goes on', at), ...closing(watch, settled, at) }
}

const someClosed = ({ task }: Watched, over: readonly Question[], at: number) =>
  ({
    kind: 'questions_closed',
    at,
    taskId: task.id,
    data: { numbers: over.map(({ number }) => number) },
  }) as const

const closing = ({ task }: Watched, over: readonly Question[], at: number): Pick<Change, 'settled'> =>
  over.length === 0 ? {} : { settled: { taskId: task.id, at, numbers: over.map(({ number }) => number) } }

const move = ({ task }: Watched, event: PlainEvent, said: AgentSays, reason: string, at: number): Change => ({
  task: moveTask({
    id: task.id,
    from: task.status,
    event,
    reason,
    evidence: [saw('agent', said.kind === 'asked' ? 'ask event' : `${said.kind} event`)],
    at,
  }),
})
