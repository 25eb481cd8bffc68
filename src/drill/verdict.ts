// Owns what counts as lost. Pure: judged only from what was found after the blow.
import { CONTINUATION, CONTINUATION_AFTER_LIMIT } from '../domain/task/go-on.ts'
import type { RunStoryJson } from '../protocol/json/recovery-json.ts'
import type { Blow } from './blows.ts'
import { LINES, RESULT } from './work.ts'

export type Found = {
  readonly status: string
  readonly reason: string | null
  /** The text of the task's result. */
  readonly result: string
  /** The content of the file that the agent wrote line by line. */
  readonly work: string
  readonly prompt: string
  /** Everything that the agent was told, by its own record; null when we cannot read that record. */
  readonly heard: readonly string[] | null
  readonly runs: readonly Pick<RunStoryJson, 'how'>[]
  readonly leftOvers: readonly string[]
}

const CONTINUATIONS = [CONTINUATION, CONTINUATION_AFTER_LIMIT]

/** What was lost, in plain words; empty when nothing was. */
export function whatWasLost(found: Found, expected: Blow['agent']): string[] {
  return [
    ...endLosses(found),
    ...workLosses(found),
    ...promptLosses(found),
    ...runLosses(found, expected),
    ...leftOverLosses(found),
  ]
}

function endLosses({ status, reason, result }: Found): string[] {
  if (status !== 'COMPLETED') return [`the task ended as ${status}: ${reason}`]
  return result.includes(RESULT) ? [] : [`the result of the task is wrong: ${JSON.stringify(result)}`]
}

function workLosses({ work }: Found): string[] {
  const wanted = LINES.map((line) => `${line}\n`).join('')
  return work === wanted ? [] : [`the lines that the agent wrote are wrong: ${JSON.stringify(work)}`]
}

function promptLosses({ heard, prompt }: Found): string[] {
  if (heard === null) return []
  const prompts = heard.filter((words) => words.includes(prompt))
  const others = heard.filter((words) => !prompts.includes(words) && !CONTINUATIONS.includes(words.trim()))
  return [
    ...(prompts.length === 1 ? [] : [`the agent was told its prompt ${prompts.length} times`]),
    ...others.map((words) => `the agent was also told ${JSON.stringify(words)}`),
  ]
}

function runLosses({ runs }: Found, expected: Blow['agent']): string[] {
  const [, ...further] = runs
  if (expected === 'lives' && further.length > 0)
    return [`the agent was not struck, but it was run ${runs.length} times`]
  if (expected === 'is_resumed' && further.length !== 1)
    return [`the agent was resumed ${further.length} times instead of once`]
  return further
    .filter(({ how }) => how !== 'resume')
    .map(({ how }) => `the agent did not go on in its session, but by ${how}`)
}

const leftOverLosses = ({ leftOvers }: Found) => leftOvers.map((what) => `left over: ${what}`)
