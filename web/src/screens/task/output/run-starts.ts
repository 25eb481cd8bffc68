// Owns which lines of an output have a time. Output is stored without times; only of the beginning of a run it is known when
// it was written. Pure.
import type { StoryJson } from '../../../../../src/protocol/json/recovery-json.ts'
import type { OutputLine } from '../../../words/output.ts'

/** By the number of the run: when it was started, epoch ms. */
export type RunStarts = ReadonlyMap<number, number>

export const runStarts = (story: readonly StoryJson[]): RunStarts =>
  new Map(
    story.flatMap(({ event, run, at }) =>
      event === 'launched' && run !== null ? [[run, Date.parse(at)] as const] : [],
    ),
  )

/** As Holdfast writes it between two runs: `run 2 resumes its session`, `run 2 begins`, `run 2 starts over`. */
const BEGINS = /^run (\d+) (?:begins|resumes|starts)\b/

/** Undefined for a line of which it is not known. */
export function startedAt({ head, text }: OutputLine, starts: RunStarts): number | undefined {
  const run = head === 'holdfast' ? BEGINS.exec(text)?.[1] : undefined
  return run === undefined ? undefined : starts.get(Number(run))
}
