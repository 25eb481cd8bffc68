// Owns how the tool calls of runs become ticks on the axis of the timeline. Pure.
import type { RunStepJson, RunStoryJson } from '../../../src/protocol/json/recovery-json.ts'
import { span, timeOf } from './time.ts'

/** `to` is where its call ended, or the end of the axis while it goes on. */
export type ToolTick = {
  readonly from: number
  readonly to: number
  readonly failed: boolean
  readonly label: string
}

/** Calls whose beginning is not known have no place on the axis. */
export const toolTicks = (runs: readonly RunStoryJson[], from: number, to: number): ToolTick[] =>
  runs.flatMap(({ steps }) => steps.flatMap((step) => tickOf(step, from, to)))

function tickOf(step: RunStepJson, from: number, to: number): ToolTick[] {
  if (step.at === null) return []
  const began = timeOf(step.at)
  const ended = step.ended_at === null ? null : timeOf(step.ended_at)
  const within = (at: number) => Math.min(Math.max(at, from), to)
  return [
    {
      from: within(began),
      to: within(ended ?? to),
      failed: step.ok === false,
      label: labelOf(step, began, ended),
    },
  ]
}

function labelOf({ tool, detail, ok }: RunStepJson, began: number, ended: number | null): string {
  const what = `${tool} ${detail}`.trim()
  if (ended === null) return `${what} · goes on`
  return `${what} · ${ok === false ? 'failed after' : 'took'} ${span(ended - began)}`
}

/** How many calls have no tick, because only the last ones of a run are kept. */
export const callsNotKept = (runs: readonly RunStoryJson[]): number =>
  runs.reduce((sum, { tools, steps }) => sum + Math.max(0, tools - steps.length), 0)
