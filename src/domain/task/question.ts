import type { RunId, TaskId } from '../names/ids.ts'

/** Something that an agent, or Holdfast itself, asked a person. Times are epoch ms. */
export type Question = {
  readonly taskId: TaskId
  /** Counts the questions of a task: 1, 2, 3… */
  readonly number: number
  readonly runId: RunId
  readonly text: string
  readonly options: readonly string[]
  /** The agent's own id for the question, for an answer by a line; or that of Holdfast's own questions (holdfast-question.ts). */
  readonly ref: string | null
  readonly askedAt: number
  readonly answer: string | null
  readonly answeredBy: string | null
  readonly answeredAt: number | null
  /** When the question was over: the agent went on, or its run ended. */
  readonly settledAt: number | null
}

/** `holdfast`: no agent waits for the answer. */
export type AskedBy = 'agent' | 'holdfast'

/** In one line, what an agent asks: the reason for which its task waits. */
export const askedText = ({ text, options }: Pick<Question, 'text' | 'options'>) =>
  options.length === 0 ? text : `${text} (${options.join(' / ')})`
