// Owns what became of the inputs that were said to a run: which the agent has heard, and which turn is over. Pure.

import { wordsOf } from '../../domain/conversation/words-of.ts'
import type { RunId } from '../../domain/names/ids.ts'
import { beginsTurn, type Input } from '../../domain/task/input.ts'
import type { Run } from '../../domain/task/run.ts'
import type { Task } from '../../domain/task/task.ts'
import { drawnAs, isSameText } from '../../domain/text/drawn-text.ts'
import type { AgentSays } from '../../ports/run/agent-driver.ts'

/** The id of an input that is given to the agent. The agent repeats it when it has heard the input. */
export const refOf = ({ number }: Pick<Input, 'number'>) => `hf-${number}`

const saidTo = (runId: RunId) => (input: Input) => input.runId === runId && input.saidAt !== null

/** The prompt whose turn is on. There is at most one: the next prompt is said when the turn is over. */
export const openTurn = (inputs: readonly Input[], runId: RunId) =>
  inputs.filter(saidTo(runId)).find((input) => beginsTurn(input) && input.doneAt === null)

/** The last prompt of this run, if its turn is over and the box shows exactly this prompt: the agent gave it back. */
export function givenBackIn(draft: string | null, inputs: readonly Input[], runId: RunId): Input | undefined {
  const last = inputs.filter(saidTo(runId)).filter(beginsTurn).at(-1)
  const isDone = last !== undefined && last.doneAt !== null
  return isDone && draft !== null && drawnAs(draft, wordsOf(last)) === 'whole' ? last : undefined
}

/** An input that is to be said and was not. One that was given up is not said any more. */
export const isUnsaid = ({ saidAt, state }: Pick<Input, 'saidAt' | 'state'>) =>
  saidAt === null && state !== 'failed'

/** The prompts that no run has been told yet. */
export const unsaidPrompts = (inputs: readonly Input[]) =>
  inputs.filter((input) => beginsTurn(input) && isUnsaid(input))

/**
 * A prompt that this run has not heard: the task is not complete without it. A prompt that was typed counts as heard.
 * Prompts after the `end` do not count.
 */
export function unheardPrompt(
  inputs: readonly Input[],
  task: Pick<Task, 'mode'>,
  run: Run,
): Input | undefined {
  const isHearingKnown = task.mode === 'headless' && run.eventsLost !== 1
  const end = inputs.find(({ kind }) => kind === 'end')?.number ?? Number.POSITIVE_INFINITY
  const isUnheard = (input: Input) =>
    isUnsaid(input) ||
    (isHearingKnown && input.runId === run.id && input.heardAt === null && input.doneAt === null)
  return inputs.find((input) => input.kind === 'prompt' && input.number < end && isUnheard(input))
}

export type Progress = { readonly heard: readonly number[]; readonly done: readonly number[] }

/**
 * What the agent's reports say about the inputs. In a terminal, a person may send prompts, too: there, the turn of our
 * prompt is over only if the agent has heard that prompt.
 */
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
  return { heard, done: finished && isOurs ? doneWith(turn, inputs) : [] }
}

/**
 * The numbers of all inputs that are done when this turn is over. A continuation goes on with what earlier runs had
 * heard and did not end.
 */
export function doneWith(turn: Input | undefined, inputs: readonly Input[]): number[] {
  if (turn === undefined) return []
  const goneOnWith = ({ runId, heardAt, doneAt, number }: Input) =>
    runId !== turn.runId && heardAt !== null && doneAt === null && number < turn.number
  const earlier = turn.kind === 'continuation' ? inputs.filter(beginsTurn).filter(goneOnWith) : []
  return [...earlier.map(({ number }) => number), turn.number]
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

/** Agents trim a prompt, some add a space, and some change the Unicode form of its letters. */
export const sameWords = (ours: Input, theirs: string) => isSameText(wordsOf(ours), theirs)

/** Adds the text of a prompt to reports that name the prompt only by its `ref`. */
export const withPrompts = (says: readonly AgentSays[], inputs: readonly Input[]): AgentSays[] =>
  says.map((said) =>
    said.kind === 'heard' && said.text === null
      ? { ...said, text: inputs.find((input) => refOf(input) === said.ref)?.text ?? null }
      : said,
  )
