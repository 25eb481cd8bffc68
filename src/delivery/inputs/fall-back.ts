// Owns the way out for a trigger that its run does not take: the run is ended, and resumed with it. Pure.
import type { Evidence } from '../../domain/task/evidence.ts'
import type { Trigger, TriggerStep } from '../../domain/task/task.ts'
import type { TriggerCode } from '../../domain/trigger/codes.ts'
import type { Change } from '../../ports/store-changes.ts'

export type FallBack = {
  readonly trigger: Pick<Trigger, 'taskId' | 'triggerId' | 'state'>
  readonly steps: readonly TriggerStep[]
  readonly code: TriggerCode
  readonly evidence: readonly Evidence[]
  readonly at: number
}

/** The same trigger is said to the run that resumes its session; after so many of them, it has failed. */
export function fallBackChange(
  { trigger, steps, code, evidence, at }: FallBack,
  resumeAttempts: number,
): Pick<Change, 'trigger' | 'restart'> {
  const { taskId, triggerId: id, state: from } = trigger
  if (fallbacksIn(steps) >= resumeAttempts) return { trigger: givenUp(trigger, steps, at) }
  return {
    trigger: { id, from, event: 'fell_back', code, at, evidence },
    restart: { id: taskId, order: orderFor(`${id} was not taken (${code}): it is resumed with it`, at) },
  }
}

const orderFor = (reason: string, at: number) =>
  ({ kind: 'trigger', by: 'holdfast', reason, at, goOn: null, mode: null }) as const

export const givenUp = (
  { triggerId: id, state: from }: Pick<Trigger, 'triggerId' | 'state'>,
  steps: readonly TriggerStep[],
  at: number,
) => ({
  id,
  from,
  event: 'failed' as const,
  code: 'RESUME_FAILED' as const,
  at,
  evidence: [
    { source: 'store' as const, fact: `its agent was resumed with it ${fallbacksIn(steps)} times in vain` },
  ],
})

/** How often its agent was resumed because of it: it was given to a run, or kept from one, before. */
export const fallbacksIn = (steps: readonly TriggerStep[]) =>
  steps.filter(
    ({ event, code }, at) =>
      event === 'fell_back' && (code !== 'PANE_DEAD' || steps[at - 1]?.state === 'typed'),
  ).length

/** How often it was typed into this run in vain: since it was last given to another. */
export const takenBackIn = (steps: readonly TriggerStep[]) =>
  steps
    .slice(steps.findLastIndex(({ event }) => event === 'fell_back') + 1)
    .filter(({ event, number }) => event === 'queued' && number > 1).length
