// Owns the bookkeeping of what was said to a run: which of it the agent has, and which turn is over. Pure.

import { wordsOf } from '../../domain/conversation/words-of.ts'
import type { RunId } from '../../domain/names/ids.ts'
import type { Input, Run, Task } from '../../domain/task/task.ts'
import { drawnAs, isSameText } from '../../domain/text/drawn-text.ts'
import type { AgentDriver, AgentSays } from '../../ports/agent-driver.ts'
import { tellsWhatItHears } from './hearing.ts'

/** What the agent is given as the name of an input, and gives back. */
export const refOf = ({ number }: Pick<Input, 'number'>) => `hf-${number}`

const saidTo = (runId: RunId) => (input: Input) => input.runId === runId && input.saidAt !== null

/** What begins a turn. */
export const isPrompt = ({ kind }: Pick<Input, 'kind'>) => kind === 'prompt' || kind === 'continuation'

/** The prompt whose turn is on. One at a time: the next is said when it is over. */
export const openTurn = (inputs: readonly Input[], runId: RunId) =>
  inputs.filter(saidTo(runId)).find((input) => isPrompt(input) && input.doneAt === null)

/** The prompt that this run was told last, where the box holds just that: nothing of a person's is in it. */
export function givenBackIn(draft: string | null, inputs: readonly Input[], runId: RunId): Input | undefined {
  const last = inputs.filter(saidTo(runId)).filter(isPrompt).at(-1)
  const isDone = last !== undefined && last.doneAt !== null
  return isDone && draft !== null && drawnAs(draft, wordsOf(last)) === 'whole' ? last : undefined
}

/** It is to be said, and was not. What was given up is not said any more. */
export const isUnsaid = ({ saidAt, state }: Pick<Input, 'saidAt' | 'state'>) =>
  saidAt === null && state !== 'failed'

/** What the agent is to be told and was not. */
export const unsaidPrompts = (inputs: readonly Input[]) =>
  inputs.filter((input) => isPrompt(input) && isUnsaid(input))

/**
 * What was sent to it, and this run has not heard: nothing is complete with that. A prompt that was typed counts as heard.
 * After the word that no more will come, none is owed.
 */
export function unheardPrompt(
  inputs: readonly Input[],
  task: Pick<Task, 'mode'>,
  run: Run,
  driver: AgentDriver,
): Input | undefined {
  const mayTell = task.mode === 'headless' && tellsWhatItHears(task, driver) && run.eventsLost !== 1
  const end = inputs.find(({ kind }) => kind === 'end')?.number ?? Number.POSITIVE_INFINITY
  const isUnheard = (input: Input) =>
    isUnsaid(input) || (mayTell && input.runId === run.id && input.heardAt === null && input.doneAt === null)
  return inputs.find((input) => input.kind === 'prompt' && input.number < end && isUnheard(input))
}

export type Progress = { readonly heard: readonly number[]; readonly done: readonly number[] }

/** What these words tell about the inputs. In its terminal a person may prompt it too: only what it heard of us can be over. */
export function progressOf(
  says: readonly AgentSays[],
  inputs: readonly Input[],
  { id: runId, inTerminal }: { readonly id: RunId; readonly inTerminal: boolean },
): Progress {
  const said = inputs.filter(saidTo(runId))
  const heard = says.flatMap((one) => (one.kind === 'heard' ? (numberHeard(one, said) ?? []) : []))
  const turn = openTurn(inputs, runId)
  const finished = says.some(({ kind }) => kind === 'finished')
  const isOurs = !inTerminal || (turn && (turn.heardAt !== null || heard.includes(turn.number)))
  return { heard, done: turn !== undefined && finished && isOurs ? [turn.number] : [] }
}

function numberHeard(
  { ref, text }: { readonly ref: string | null; readonly text: string | null },
  said: readonly Input[],
): number | undefined {
  const unheard = said.filter(({ heardAt }) => heardAt === null)
  const same = (input: Input) =>
    ref === null ? text !== null && sameWords(input, text) : refOf(input) === ref
  return unheard.find(same)?.number
}

/** Agents trim, some add a blank, and some compose letters anew. */
export const sameWords = (ours: Input, theirs: string) => isSameText(wordsOf(ours), theirs)

/** An agent that names a prompt is shown with its words. */
export const withPrompts = (says: readonly AgentSays[], inputs: readonly Input[]): AgentSays[] =>
  says.map((said) =>
    said.kind === 'heard' && said.text === null
      ? { ...said, text: inputs.find((input) => refOf(input) === said.ref)?.text ?? null }
      : said,
  )
