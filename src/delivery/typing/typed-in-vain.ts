// Owns a trigger that was typed and certainly did not arrive: typed again, and after a few times given to a resumed run.
import { saw } from '../../domain/task/evidence.ts'
import type { Input, Trigger } from '../../domain/task/input.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'
import { fallBackChange, takenBackIn } from '../inputs/fall-back.ts'
import type { DeliveryNeeds } from '../needs.ts'

/** The change as it is, unless it takes back a framed trigger that was typed in vain often enough. */
export async function orFallBack(
  change: Change,
  { task, turn }: { readonly task: Pick<Task, 'snapshot'>; readonly turn: Input | undefined },
  needs: Pick<DeliveryNeeds, 'clock' | 'config'> & Reads<TriggerReads>,
): Promise<Change> {
  const { takeBack, ...rest } = change
  if (takeBack === undefined || turn?.framed !== 1 || turn.triggerId === null || turn.state === null)
    return change
  const trigger = turn as Trigger
  const steps = await needs.store.triggerSteps(trigger.triggerId)
  const tries = takenBackIn(steps)
  if (tries < needs.config['trigger.ackRetries']) return change
  const evidence = [saw('screen', `typed ${tries + 1} times, and no turn began: the agent has not got it`)]
  const at = needs.clock.now()
  const back = { trigger, task, steps, code: 'ACK_TIMEOUT' as const, evidence, at }
  return { ...rest, ...fallBackChange(back, needs.config['trigger.resumeAttempts']) }
}
