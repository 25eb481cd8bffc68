// Owns what is said to an agent after its start, and what makes a trigger of it.
import type { RunId, TaskId, TriggerId } from '../names/ids.ts'
import type { AckWay } from '../trigger/acknowledgement.ts'
import type { TriggerCode } from '../trigger/codes.ts'
import type { TriggerEvent, TriggerState } from '../trigger/machine.ts'
import type { Evidence } from './evidence.ts'

/** Something that is said to a task's agent. It is queued, then said to a run, then heard; a prompt is then worked on until done. */
export type Input = {
  readonly taskId: TaskId
  /** Counts the inputs of a task: 1, 2, 3… */
  readonly number: number
  /**
   * `continuation`: Holdfast's words to a run that goes on, said before all others. `end`: no more prompts will come; the
   * conversation ends with the turn. `finish`: a person wants the task completed when its turn is over; never said.
   */
  readonly kind: 'prompt' | 'continuation' | 'answer' | 'end' | 'finish'
  readonly text: string
  /** For an answer: the question's number, and which option was chosen, from 0. */
  readonly question: number | null
  readonly option: number | null
  readonly by: string
  /** Epoch ms, as all times of an input. */
  readonly at: number
  /** The run to which the input was said; while it is queued, the run in which Enter was last about to be pressed on it. */
  readonly runId: RunId | null
  /** The line that was written to the run's input file; null for a text that was typed. */
  readonly line: string | null
  /** Where the line begins in the input file, in bytes. */
  readonly offset: number | null
  readonly saidAt: number | null
  /** When the agent reported that it has the input. */
  readonly heardAt: number | null
  /** When the turn that the input began was over. */
  readonly doneAt: number | null
} & TriggerFacts

/** Whether an input begins a turn when it is said. */
export const beginsTurn = ({ kind }: Pick<Input, 'kind'>) => kind === 'prompt' || kind === 'continuation'

/** What a prompt that somebody sent has besides; all null, and not framed, for every other input. */
export type TriggerFacts = {
  readonly triggerId: TriggerId | null
  readonly thread: string | null
  readonly reason: string | null
  /** The sender's own: the same key names the same trigger. */
  readonly key: string | null
  /** It is said in its envelope, and its agent is expected to acknowledge it. */
  readonly framed: 0 | 1
  /** Who wanted it typed although somebody had typed there a moment ago, and why. */
  readonly forcedBy: string | null
  readonly forcedWhy: string | null
  readonly state: TriggerState | null
  readonly code: TriggerCode | null
  /** Epoch ms of its last step. */
  readonly stateAt: number | null
  readonly ackBy: AckWay | null
}

/** One prompt that somebody sent, on its way to a living agent. */
export type Trigger = Input & { readonly triggerId: TriggerId; readonly state: TriggerState }

/** One step of a trigger, with what it was concluded from. */
export type TriggerStep = {
  readonly triggerId: TriggerId
  /** 1, 2, 3… per trigger. */
  readonly number: number
  readonly event: TriggerEvent
  readonly state: TriggerState
  readonly code: TriggerCode | null
  readonly at: number
  readonly evidence: readonly Evidence[]
}
