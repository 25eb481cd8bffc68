// Owns one look at a task that somebody waits for.
import { isHoldfastError } from '../../../domain/errors.ts'
import { asTaskId } from '../../../domain/names/ids.ts'
import type { NextStep } from '../../../domain/recovery/next-facts.ts'
import { type Final, finalOf, notFound } from '../../../domain/task/final-state.ts'
import type { Question } from '../../../domain/task/question.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { ConversationReads } from '../../../ports/store/conversation.ts'
import type { Gate, GateReads } from '../../../ports/store/gates.ts'
import type { RuntimeReads } from '../../../ports/store/runtimes.ts'
import type { OwnNode, Reads } from '../../../ports/store/store.ts'
import type { TaskNames, TaskReads } from '../../../ports/store/tasks.ts'
import { findTask } from '../../task/find-task.ts'
import { aheadOf, gateBefore } from '../look/ahead.ts'
import { type Asked, firstAsked } from '../look/look.ts'
import type { DeskNeeds } from '../needs.ts'
import type { RestChecks } from './rest-checks.ts'

/** The state of a task when it was looked at. */
export type TaskLook = {
  readonly id: string
  readonly task: Task | undefined
  readonly open: readonly Question[]
  readonly final: Final | null
  /** The task is at rest, and its work is being verified. */
  readonly isChecked: boolean
  /** The closed gate that holds the task back. */
  readonly gate: Gate | null
}

/** A task that somebody waits for, with all that this caller is told about it. */
export type Awaited = Pick<TaskLook, 'id' | 'task' | 'final' | 'isChecked'> & {
  readonly outputLog: string | null
  /** The oldest question that nobody has answered. */
  readonly question: Asked | null
  /** Null when there is no such task, or while its work is being verified. */
  readonly next: NextStep | null
  /** What the task's agent said last. */
  readonly lastWords: string | null
}

/** The whole id for a name or a part of an id. Returns the text as it is when there is no such task: `monitor` then answers `not_found`. */
export const wholeId = (
  id: string,
  { store }: Reads<OwnNode & RuntimeReads & TaskNames & TaskReads>,
): Promise<string> =>
  findTask(store, id).then(
    (task) => task.id,
    (error) => {
      if (isHoldfastError(error, 'TASK_NOT_FOUND', 'RUNTIME_NOT_FOUND')) return id
      throw error
    },
  )

/** `restChecks`: null when the caller waits for the task's end, so that rest is not enough. `anew`: this is the caller's first look. */
export async function lookAtTask(
  id: string,
  restChecks: RestChecks | null,
  anew: boolean,
  core: Reads<ConversationReads & GateReads & TaskReads>,
): Promise<TaskLook> {
  const { store } = core
  const task = await store.task(asTaskId(id))
  if (task === undefined) return { id, task, open: [], final: notFound(id), isChecked: false, gate: null }
  const open = task.status === 'waiting_input' ? await store.openQuestions(task.id) : []
  const rest = restChecks === null ? null : await restChecks.of(task, anew)
  const isChecked = rest === 'checking'
  const final = finalOf(task, open, isChecked ? null : rest)
  return { id, task, open, final, isChecked, gate: await gateBefore(task, core) }
}

export async function awaitedOf(
  { id, task, open, final, isChecked }: TaskLook,
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
