// Owns the bookkeeping of what was said to a run: which of it the agent has, and which turn is over. Pure.
import type { RunId } from '../domain/ids.ts'
import { spokenText } from '../domain/spoken-text.ts'
import type { Input } from '../domain/task.ts'
import type { AgentSays } from '../ports/agent-driver.ts'

/** What the agent is given as the name of an input, and gives back. */
export const refOf = ({ number }: Pick<Input, 'number'>) => `hf-${number}`

const saidTo = (runId: RunId) => (input: Input) => input.runId === runId && input.saidAt !== null

/** What begins a turn. */
export const isPrompt = ({ kind }: Pick<Input, 'kind'>) => kind === 'prompt' || kind === 'continuation'

/** The prompt whose turn is on. One at a time: the next is said when it is over. */
export const openTurn = (inputs: readonly Input[], runId: RunId) =>
  inputs.filter(saidTo(runId)).find((input) => isPrompt(input) && input.doneAt === null)

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
    ref === null ? text !== null && sameWords(input.text, text) : refOf(input) === ref
  return unheard.find(same)?.number
}

/** Agents trim, and some add a blank. */
const sameWords = (ours: string, theirs: string) =>
  spokenText(ours).replace(/\s+/g, ' ').trim() === theirs.replace(/\s+/g, ' ').trim()

/** An agent that names a prompt is shown with its words. */
export const withPrompts = (says: readonly AgentSays[], inputs: readonly Input[]): AgentSays[] =>
  says.map((said) =>
    said.kind === 'heard' && said.text === null
      ? { ...said, text: inputs.find((input) => refOf(input) === said.ref)?.text ?? null }
      : said,
  )
