// Owns one look at a task that somebody waits for.
import { isHoldfastError } from '../../domain/errors.ts'
import { asTaskId } from '../../domain/names/ids.ts'
import type { NextStep } from '../../domain/recovery/next-facts.ts'
import { type Final, finalOf, notFound } from '../../domain/task/final-state.ts'
import type { Question, Task } from '../../domain/task/task.ts'
import type { RuntimeReads } from '../../ports/runtimes.ts'
import type { ConversationReads, GateReads, Reads, TaskNames, TaskReads } from '../../ports/store.ts'
import type { Gate } from '../../ports/store-changes.ts'
import { findTask } from '../task/find-task.ts'
import { aheadOf, gateBefore } from './ahead.ts'
import { type Asked, firstAsked } from './look.ts'
import type { DeskNeeds } from './needs.ts'
import type { Rests } from './rests.ts'

/** How a task stood when it was looked at. */
export type Watched = {
  readonly id: string
  readonly task: Task | undefined
  readonly open: readonly Question[]
  readonly final: Final | null
  /** It is at rest, and its work is being verified. */
  readonly isChecked: boolean
  /** What holds it back. */
  readonly gate: Gate | null
}

/** A task that somebody waits for, with what they are told of it. */
export type Awaited = Pick<Watched, 'id' | 'task' | 'final' | 'isChecked'> & {
  readonly outputLog: string | null
  /** The oldest question that nobody has answered. */
  readonly question: Asked | null
  /** Null where there is no such task, or its work is being verified. */
  readonly next: NextStep | null
  /** What its agent said last. */
  readonly lastWords: string | null
}

/** What is not there is an answer, not an error. */
export const wholeId = (
  id: string,
  { store }: Reads<RuntimeReads & TaskNames & TaskReads>,
): Promise<string> =>
  findTask(store, id).then(
    (task) => task.id,
    (error) => {
      if (isHoldfastError(error, 'TASK_NOT_FOUND', 'RUNTIME_NOT_FOUND')) return id
      throw error
    },
  )

/** `rests`: null where rest is not enough. `anew`: the first look of somebody. */
export async function lookAtWatched(
  id: string,
  rests: Rests | null,
  anew: boolean,
  core: Reads<ConversationReads & GateReads & TaskReads>,
): Promise<Watched> {
  const { store } = core
  const task = await store.task(asTaskId(id))
  if (task === undefined) return { id, task, open: [], final: notFound(id), isChecked: false, gate: null }
  const open = task.status === 'waiting_input' ? await store.openQuestions(task.id) : []
  const rest = rests === null ? null : await rests.of(task, anew)
  const isChecked = rest === 'checking'
  const final = finalOf(task, open, isChecked ? null : rest)
  return { id, task, open, final, isChecked, gate: await gateBefore(task, core) }
}

export async function awaitedOf(
  { id, task, open, final, isChecked }: Watched,
  core: DeskNeeds,
): Promise<Awaited> {
  const known = { id, task, final, isChecked }
  if (task === undefined) return { ...known, outputLog: null, question: null, next: null, lastWords: null }
  const run = task.runId === null ? undefined : await core.store.run(task.runId)
  return {
    ...known,
    outputLog: core.handoff.paths(task).outputLog,
    question: await firstAsked(task, open, core),
    next: isChecked ? null : (await aheadOf(task, open, core)).next,
    lastWords: run?.lastWords ?? null,
  }
}
