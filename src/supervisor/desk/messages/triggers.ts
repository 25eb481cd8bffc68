// Owns what others may ask about triggers: how one stands, lists of them, that one is acknowledged.

import { tryCommit } from '../../../changes/try-commit.ts'
import { acknowledgeBy, awaitingAck } from '../../../delivery/inputs/acknowledge.ts'
import type { Force } from '../../../delivery/inputs/send-prompt.ts'
import { HoldfastError } from '../../../domain/errors.ts'
import type { HandledEvent } from '../../../domain/journal/cause.ts'
import type { TriggerId } from '../../../domain/names/ids.ts'
import type { Caller } from '../../../domain/task/caller.ts'
import { type Evidence, saw } from '../../../domain/task/evidence.ts'
import type { Trigger, TriggerStep } from '../../../domain/task/input.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { AckWay } from '../../../domain/trigger/acknowledgement.ts'
import { isReached, type TriggerAim } from '../../../domain/trigger/aims.ts'
import { WAITING_STATES } from '../../../domain/trigger/machine.ts'
import type { TriggerFilter } from '../../../ports/store/triggers.ts'

import { freePlaceAt, isRateLimited } from '../../wakes/rate.ts'

import type { DeskNeeds } from '../needs.ts'
import { until } from '../wait/waiting.ts'

export type Tracked = {
  readonly trigger: Trigger
  readonly steps: readonly TriggerStep[]
  /** Epoch ms until which something is awaited; null when no time is set. */
  readonly until: number | null
}

export const triggersDesk = (core: DeskNeeds) => ({
  /** TRIGGER_NOT_FOUND when there is none, or none any more. */
  get: (id: TriggerId): Promise<Trigger> => existing(id, core),

  async track(id: TriggerId): Promise<Tracked> {
    const trigger = await existing(id, core)
    const steps = await core.store.triggerSteps(id)
    const until = isRateLimited(trigger)
      ? await freePlaceAt(trigger, core)
      : awaitedUntil(trigger, steps, core)
    return { trigger, steps, until }
  },

  list: (filter: TriggerFilter): Promise<Trigger[]> => core.store.triggers(filter),

  /** Resolves when it is so far, when it will not get so far, when a person keeps it for too long, or when patience ran out. */
  async whenReached(id: TriggerId, aim: TriggerAim, patienceMs: number): Promise<Trigger> {
    const { taskId } = await existing(id, core)
    await until(taskId, async () => isReached(await existing(id, core), aim) !== 'not_yet', patienceMs, core)
    return existing(id, core)
  },

  /**
   * Has it typed although somebody typed there a moment ago; never into a dialog or over unsent text. Of two, the first
   * counts. One that does not wait any more stays as it is: `forcedBy` says whose word it was.
   */
  async force(id: TriggerId, { operator: by, why }: Force): Promise<Trigger> {
    const { state } = await existing(id, core)
    if (!WAITING_STATES.includes(state)) return existing(id, core)
    await tryCommit({ force: { id, by, why, at: core.clock.now() } }, core)
    return existing(id, core)
  },

  /** The agent's own word for it. ACK_REFUSED from anybody but the run that was given it, or that resumed its session. */
  async acknowledge(id: TriggerId, from: Caller): Promise<Trigger> {
    const trigger = await existing(id, core)
    const task = await core.store.task(trigger.taskId)
    const isIts = from.kind === 'run' && (from.run === trigger.runId || from.run === task?.runId)
    if (!isIts || trigger.runId === null)
      throw new HoldfastError(
        'ACK_REFUSED',
        `${id} was not given to ${from.name}: it cannot be acknowledged so.`,
      )
    await acknowledgeBy(trigger, 'ack_trigger', [saw('agent', `${from.name} acknowledged it`)], core)
    return existing(id, core)
  },

  /**
   * Another sign that a task's agent has what it was given: all of this thread, where one is named; where a time is named
   * (epoch ms), what it had by then. How many that were.
   */
  async acknowledgeBy(
    { id, runId }: Pick<Task, 'id' | 'runId'>,
    way: AckWay,
    {
      thread,
      evidence,
      at,
      cause,
    }: {
      readonly thread?: string
      readonly evidence: readonly Evidence[]
      readonly at?: number
      readonly cause?: HandledEvent
    },
  ): Promise<number> {
    if (runId === null) return 0
    const awaiting = awaitingAck(await core.store.inputs(id), runId)
    let count = 0
    for (const trigger of awaiting)
      if ((thread === undefined || trigger.thread === thread) && hadBy(trigger, at))
        if (await acknowledgeBy(trigger, way, evidence, core, cause)) count++
    return count
  },
})

const hadBy = ({ heardAt }: Trigger, at: number | undefined) =>
  at === undefined || (heardAt !== null && heardAt <= at)

async function existing(id: TriggerId, { store }: Pick<DeskNeeds, 'store'>): Promise<Trigger> {
  const trigger = await store.trigger(id)
  if (trigger === undefined) throw new HoldfastError('TRIGGER_NOT_FOUND', `There is no trigger ${id}.`)
  return trigger
}

function awaitedUntil(
  { state, framed, ackBy, code, stateAt }: Trigger,
  steps: readonly TriggerStep[],
  { config }: Pick<DeskNeeds, 'config'>,
): number | null {
  if (state === 'deferred' && code === 'OPERATOR_BUSY' && stateAt !== null)
    return stateAt + config['trigger.deferMax']
  const given = steps.findLast(({ event }) => event === 'typed' || event === 'submitted')
  const isAwaited = (state === 'typed' || state === 'submitted') && framed === 1 && ackBy === null
  if (!isAwaited || given === undefined) return null
  const longer = config['trigger.ackBackoff'] * (2 ** config['trigger.ackRetries'] - 1)
  return given.at + config['trigger.ackTimeout'] + longer
}
