// Owns how inputs and questions are written and read.

import type { RunId, TaskId } from '../../domain/names/ids.ts'
import type { Evidence } from '../../domain/task/evidence.ts'
import type { Input } from '../../domain/task/input.ts'
import type { Question } from '../../domain/task/question.ts'
import type { TriggerCode } from '../../domain/trigger/codes.ts'
import type { TriggerDraft } from './triggers.ts'

export interface ConversationReads {
  /** All inputs of a task, said or not, in order. */
  inputs(taskId: TaskId): Promise<Input[]>
  /** The questions of a task that are not settled, oldest first. */
  openQuestions(taskId: TaskId): Promise<Question[]>
  /** Settled or not. */
  question(taskId: TaskId, number: number): Promise<Question | undefined>
  /** The questions of all unended tasks of this node that are not settled, oldest first. */
  allOpenQuestions(): Promise<Question[]>
}

export type InputDraft = Pick<Input, 'taskId' | 'kind' | 'text' | 'by' | 'at'> & {
  /** For a prompt that somebody sends: it gets a trigger's id. */
  readonly trigger?: TriggerDraft
  /** The trigger waits from its beginning, until somebody moves it to the queue. */
  readonly deferred?: { readonly code: TriggerCode; readonly evidence: readonly Evidence[] }
}
export type QuestionDraft = Pick<Question, 'taskId' | 'runId' | 'text' | 'options' | 'ref' | 'askedAt'>

export type AnswerDraft = {
  readonly taskId: TaskId
  /** The question's number. */
  readonly number: number
  readonly text: string
  /** The number of the option, from 0; null for a free text. */
  readonly option: number | null
  readonly by: string
  readonly at: number
}

/** An input that is said to a run. TRANSITION_CONFLICT when it was said before: no input is said twice. */
export type Saying = {
  readonly taskId: TaskId
  readonly number: number
  readonly runId: RunId
  readonly at: number
  /** The input begins a turn: the run's result, failure and limit belong to an earlier turn and are deleted. */
  readonly voidsResult: boolean
  /**
   * The line in the input file; null when the input is typed. `offset` must be the run's `inputLength`, which grows by
   * the line.
   */
  readonly written: { readonly line: string; readonly offset: number } | null
}
