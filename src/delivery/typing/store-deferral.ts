// Owns that a trigger which cannot be typed now says so: who or what keeps it, since when, and that its time is up.
import { tryCommit } from '../../changes/try-commit.ts'
import { messageOf } from '../../domain/errors.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { Input, Trigger } from '../../domain/task/input.ts'
import type { Task } from '../../domain/task/task.ts'
import type { PaneView } from '../../ports/run/terminal.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'
import { fallBackChange } from '../inputs/fall-back.ts'
import type { DeliveryNeeds } from '../needs.ts'
import { deferral, isLeftAlone, isWaitingTrigger } from './deferral.ts'
import type { Typed } from './type-next.ts'

type Deferring = {
  readonly inputs: readonly Input[]
  readonly view: Pick<PaneView, 'keyAgeMs'>
  readonly task: Pick<Task, 'snapshot'>
}

export async function storeDeferral(
  typed: Typed,
  { inputs, view, task }: Deferring,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit' | 'config'> & Reads<TriggerReads>,
): Promise<void> {
  if (typeof typed === 'string') return
  const trigger = inputs.find(({ number }) => number === typed.number)
  if (!isWaitingTrigger(trigger)) return
  const at = needs.clock.now()
  if (isLeftAlone(trigger, typed.why, view)) return fallBack(trigger, task, at, needs)
  const move = deferral(trigger, typed.why, at, needs.config['trigger.deferMax'])
  if (move !== undefined) await tryCommit({ trigger: move }, needs)
}

/** tmux could not be asked to type it. It is tried again; `error` is passed on. */
export async function noteNotTyped(
  error: unknown,
  trigger: Input | undefined,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit'>,
): Promise<never> {
  if (isWaitingTrigger(trigger) && trigger.code !== 'SEND_KEYS_ERROR') {
    const { triggerId: id, state: from } = trigger
    const evidence = [saw('tmux', messageOf(error))]
    const move = { id, from, event: 'deferred' as const, code: 'SEND_KEYS_ERROR' as const, evidence }
    await tryCommit({ trigger: { ...move, at: needs.clock.now() } }, needs)
  }
  throw error
}

/** The pane is closed with its history; the run that resumes the session gets a new one. */
async function fallBack(
  trigger: Trigger,
  task: Pick<Task, 'snapshot'>,
  at: number,
  needs: Pick<DeliveryNeeds, 'commit' | 'config'> & Reads<TriggerReads>,
): Promise<void> {
  const steps = await needs.store.triggerSteps(trigger.triggerId)
  const evidence = [saw('tmux', 'its history is open, and nobody is attached')]
  const change = fallBackChange(
    { trigger, task, steps, code: 'DEFER_TIMEOUT', evidence, at },
    needs.config['trigger.resumeAttempts'],
  )
  await tryCommit(change, needs)
}
