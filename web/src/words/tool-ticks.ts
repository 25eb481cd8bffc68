// Owns how the tool calls of runs become ticks on the axis of the timeline. Pure.
import type { RunStepJson, RunStoryJson, StoryJson } from '../../../src/protocol/json/recovery-json.ts'
import { span, timeOf } from './time.ts'

/** `to` is where its call ended, or its run before it did, or the end of the axis while it goes on. */
export type ToolTick = {
  readonly from: number
  readonly to: number
  readonly failed: boolean
  readonly label: string
}

type Told = { readonly runs: readonly RunStoryJson[]; readonly story: readonly StoryJson[] }

/** Calls whose beginning is not known have no place on the axis. */
export const toolTicks = ({ runs, story }: Told, from: number, to: number): ToolTick[] =>
  runs.flatMap(({ number, steps }) => {
    const isOpen = steps.some(({ ended_at }) => ended_at === null)
    const over = isOpen ? endOfRun(number, story) : undefined
    return steps.flatMap((step) => tickOf(step, over, from, to))
  })

/** When its exit was known, or another run was there; undefined while it lives. */
function endOfRun(number: number, story: readonly StoryJson[]): number | undefined {
  const began = story.findIndex(({ run }) => run === number)
  const end = story
    .slice(began)
    .find(
      ({ run, evidence }) =>
        (run !== null && run !== number) || evidence.some(({ source }) => source === 'exit_record'),
    )
  return began === -1 || end === undefined ? undefined : timeOf(end.at)
}

function tickOf(step: RunStepJson, over: number | undefined, from: number, to: number): ToolTick[] {
  if (step.at === null) return []
  const began = timeOf(step.at)
  const ended = step.ended_at === null ? null : timeOf(step.ended_at)
  const within = (at: number) => Math.min(Math.max(at, from), to)
  return [
    {
      from: within(began),
      to: within(ended ?? over ?? to),
      failed: step.ok === false,
      label: labelOf(step, began, ended, over),
    },
  ]
}

function labelOf(
  { tool, detail, ok }: RunStepJson,
  began: number,
  ended: number | null,
  over: number | undefined,
): string {
  const what = `${tool} ${detail}`.trim()
  if (ended !== null) return `${what} · ${ok === false ? 'failed after' : 'took'} ${span(ended - began)}`
  return over === undefined ? `${what} · goes on` : `${what} · cut off after ${span(over - began)}`
}

/** How many calls have no tick, because only the last ones of a run are kept. */
export const callsNotKept = (runs: readonly RunStoryJson[]): number =>
  runs.reduce((sum, { tools, steps }) => sum + Math.max(0, tools - steps.length), 0)
