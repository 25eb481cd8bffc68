// Owns how long a prompt took from stage to stage. Pure.
import type { TriggerEvent } from '../domain/trigger/machine.ts'
import type { Observed } from './task-times.ts'

const STAGES = ['typed', 'submitted', 'acknowledged', 'done'] as const

export type TriggerMove = { readonly event: TriggerEvent; readonly at: number }

/** The last stage that a prompt reached, and when (epoch ms). */
export type Stage = { readonly stage: 'queued' | (typeof STAGES)[number]; readonly at: number }

/** A prompt that is given back to the queue begins anew; one that is deferred or awaited longer keeps its stage. */
export function stageAfter(before: Stage | undefined, { event, at }: TriggerMove): Stage | undefined {
  if (event === 'queued') return before?.stage === 'queued' ? before : { stage: 'queued', at }
  const stage = STAGES.find((one) => one === event)
  if (stage === undefined) return before ?? { stage: 'queued', at }
  return before?.stage === stage ? before : { stage, at }
}

export function stageObserved(before: Stage | undefined, { event, at }: TriggerMove): Observed[] {
  const stage = STAGES.find((one) => one === event)
  if (stage === undefined || before === undefined || before.stage === stage) return []
  const seconds = Math.max(0, at - before.at) / 1000
  return [{ histogram: 'holdfast_delivery_seconds', labels: { stage }, seconds }]
}

/** Nothing more comes, unless it is sent again. */
export const isLastStage = (event: TriggerEvent) => event === 'done' || event === 'failed'
