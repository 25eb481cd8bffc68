// Owns the way out for a trigger that its run does not take: the run is ended, and resumed with it; a runtime that does not
// take it then begins a new session. Pure.
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { Trigger, TriggerStep } from '../../domain/task/input.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TriggerCode } from '../../domain/trigger/codes.ts'
import type { Change } from '../../ports/store/commits.ts'

export type FallBack = {
  readonly trigger: Pick<Trigger, 'taskId' | 'triggerId' | 'state'>
  readonly task: Pick<Task, 'snapshot'>
  readonly steps: readonly TriggerStep[]
  readonly code: TriggerCode
  readonly evidence: readonly Evidence[]
  readonly at: number
}

/** Ends the run, and gives the trigger to the run that follows. After `resumeAttempts` such runs the trigger fails, or a runtime gets a new session. */
export function fallBackChange(
  { trigger, task, steps, code, evidence, at }: FallBack,
  resumeAttempts: number,
): Pick<Change, 'trigger' | 'restart'> {
  const { taskId, triggerId: id, state: from } = trigger
  const way = nextWay(fallbacksIn(steps), task, resumeAttempts)
  if (way === 'give_up') return { trigger: givenUp(trigger, task, steps, at) }
  const isSpawned = way === 'spawn'
  const tried = saw('store', `its agent was resumed with it ${fallbacksIn(steps)} times in vain`)
  const then = isSpawned ? 'a new session begins with it' : 'it is resumed with it'
  return {
    trigger: {
      id,
      from,
      event: 'fell_back',
      code: isSpawned ? 'RESUME_FAILED' : code,
      at,
      evidence: isSpawned ? [...evidence, tried] : evidence,
    },
    restart: {
      id: taskId,
      order: {
        kind: isSpawned ? 'spawn' : 'trigger',
        by: 'holdfast',
        reason: `${id} was not taken (${code}): ${then}`,
        at,
        goOn: null,
        mode: null,
      },
    },
  }
}

/** After `resumeAttempts` resumes, a runtime is spawned anew: its work is in threads, not in its session. Any other task gives up. */
export function nextWay(
  fallbacks: number,
  { snapshot }: Pick<Task, 'snapshot'>,
  resumeAttempts: number,
): 'resume' | 'spawn' | 'give_up' {
  if (fallbacks < resumeAttempts) return 'resume'
  return snapshot.standing === true && fallbacks === resumeAttempts ? 'spawn' : 'give_up'
}

export const givenUp = (
  { triggerId: id, state: from }: Pick<Trigger, 'triggerId' | 'state'>,
  { snapshot }: Pick<Task, 'snapshot'>,
  steps: readonly TriggerStep[],
  at: number,
) => ({
  id,
  from,
  event: 'failed' as const,
  code: snapshot.standing === true ? ('SPAWN_FAILED' as const) : ('RESUME_FAILED' as const),
  at,
  evidence: [saw('store', `its agent was started again with it ${fallbacksIn(steps)} times in vain`)],
})

/** How often the agent was started again because of this trigger. A run that died by itself counts only if it was given the trigger. */
export const fallbacksIn = (steps: readonly TriggerStep[]) =>
  steps.filter(
    ({ event, code }, at) =>
      event === 'fell_back' && (!BY_DEATH.has(code) || steps[at - 1]?.state === 'typed'),
  ).length

/** Its run ended, whoever did that. */
const BY_DEATH: ReadonlySet<TriggerCode | null> = new Set(['PANE_DEAD', 'REGISTRY_DRIFT'])

/** How often it was typed into this run in vain: since it was last given to another. */
export const takenBackIn = (steps: readonly TriggerStep[]) =>
  steps
    .slice(steps.findLastIndex(({ event }) => event === 'fell_back') + 1)
    .filter(({ event, number }) => event === 'queued' && number > 1).length
