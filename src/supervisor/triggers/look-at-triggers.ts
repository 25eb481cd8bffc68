// Owns the deadlines of triggers: acknowledgements that are awaited, and prompts that wait for a person.

import { tryCommit } from '../../changes/try-commit.ts'
import { fallBackChange, fallbacksIn, givenUp } from '../../delivery/inputs/fall-back.ts'
import type { TriggerId } from '../../domain/names/ids.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { Trigger, TriggerStep } from '../../domain/task/task.ts'
import { durationText } from '../../domain/text/duration.ts'
import { type AckTerms, type AfterSilence, afterSilence } from '../../domain/trigger/after-silence.ts'
import type { TriggerState } from '../../domain/trigger/machine.ts'
import type { Watch } from '../task/core.ts'
import { lookAtScreenToo } from '../task/watch-task.ts'
import { isRateLimited, queueWhenFree } from '../wakes/rate.ts'
import type { TriggersNeeds } from './needs.ts'

/** In these, something has to happen at a time. What is only queued waits for its agent. */
const TIMED: readonly TriggerState[] = ['deferred', 'typed', 'submitted', 'fallen_back']

/** Looks once at all whose time may have come. When to look again; null when none is awaited. */
export async function lookAtTriggers(core: TriggersNeeds): Promise<number | null> {
  const dues: number[] = []
  for (const { triggerId, taskId } of await core.store.triggersIn(TIMED)) {
    const due = await core.withLock(taskId, () => lookAtTrigger(triggerId, core))
    if (due !== null) dues.push(due)
  }
  return dues.length === 0 ? null : Math.min(...dues)
}

async function lookAtTrigger(id: TriggerId, core: TriggersNeeds): Promise<number | null> {
  const trigger = await core.store.trigger(id)
  if (trigger === undefined) return null
  if (isRateLimited(trigger)) return queueAgain(trigger, core)
  if (trigger.state === 'deferred') return lookAgain(trigger, core)
  const steps = await core.store.triggerSteps(id)
  if (trigger.state === 'fallen_back') return checkFallbacks(trigger, steps, core)
  return trigger.framed === 1 && trigger.ackBy === null ? lookAtSilence(trigger, steps, core) : null
}

function lookAgain({ taskId }: Trigger, core: TriggersNeeds): number {
  lookAtScreenToo(taskId, core)
  return core.clock.now() + core.config['trigger.deferRecheck']
}

async function queueAgain(trigger: Trigger, core: TriggersNeeds): Promise<number | null> {
  const next = await queueWhenFree(trigger, core)
  if (next === null) lookAtScreenToo(trigger.taskId, core)
  return next
}

async function checkFallbacks(
  trigger: Trigger,
  steps: readonly TriggerStep[],
  core: TriggersNeeds,
): Promise<null> {
  if (fallbacksIn(steps) > core.config['trigger.resumeAttempts'])
    await tryCommit({ trigger: givenUp(trigger, steps, core.clock.now()) }, core)
  return null
}

/** Null when it is settled, or its run is not there to be asked: whatever follows tells of itself. */
async function lookAtSilence(
  trigger: Trigger,
  steps: readonly TriggerStep[],
  core: TriggersNeeds,
): Promise<number | null> {
  const watch = core.watched.get(trigger.taskId)
  if (watch === undefined || watch.run.state !== 'live' || watch.ending) return null
  const now = core.clock.now()
  const given = steps.findLastIndex(({ event }) => event === 'typed' || event === 'submitted')
  const since = steps[given]?.at ?? now
  const late = steps.slice(given + 1).filter(({ event }) => event === 'ack_late').length
  const signs = signsOf(trigger, watch)
  const facts = { state: trigger.state, since, late, fallbacks: fallbacksIn(steps), ...signs, now }
  const after = afterSilence(facts, termsOf(core))
  return store(after, trigger, steps, [...evidenceOf(now - since), ...signs.evidence], core)
}

type Signs = { isAlive: boolean; isIdle: boolean; hasTurnBegun: boolean; evidence: readonly Evidence[] }

/**
 * Its own word, or a sight of it at work, says that a turn began with it. Only a box that was watched all the time proves
 * the contrary. What was written as a line was never in a box: its screen may still show the turn before.
 */
export function signsOf(
  { heardAt, runId, line }: Pick<Trigger, 'heardAt' | 'runId' | 'line'>,
  { run, screen, box }: Pick<Watch, 'run' | 'screen' | 'box'>,
): Signs {
  const wasSeen = line === null && (screen?.worked === true || box?.worked === true)
  const hasTurnBegun = heardAt !== null || wasSeen
  const isIdle = runId === run.id && box?.unsent === true
  const told = hasTurnBegun
    ? 'its agent lives, and a turn began with it'
    : 'its agent lives, and no turn was seen'
  return { isAlive: true, isIdle, hasTurnBegun, evidence: [saw('store', told)] }
}

const evidenceOf = (silentMs: number): Evidence[] => [
  saw('clock', `no acknowledgement for ${durationText(Math.max(1, Math.round(silentMs / 1000)) * 1000)}`),
]

const termsOf = ({ config }: Pick<TriggersNeeds, 'config'>): AckTerms => ({
  timeoutMs: config['trigger.ackTimeout'],
  retries: config['trigger.ackRetries'],
  backoffMs: config['trigger.ackBackoff'],
  resumeAttempts: config['trigger.resumeAttempts'],
})

async function store(
  after: AfterSilence,
  trigger: Trigger,
  steps: readonly TriggerStep[],
  evidence: readonly Evidence[],
  core: TriggersNeeds,
): Promise<number | null> {
  const { triggerId: id, state: from } = trigger
  const at = core.clock.now()
  switch (after.kind) {
    case 'wait':
      return after.until
    case 'wait_longer':
      await tryCommit({ trigger: { id, from, event: 'ack_late', at, evidence } }, core)
      return after.until
    case 'leave':
      return at + core.config['trigger.deferRecheck']
    case 'unconfirmed':
      await tryCommit({ trigger: { id, from, event: 'unconfirmed', at, evidence } }, core)
      return null
    case 'fall_back':
    case 'give_up':
      await tryCommit(
        fallBackChange(
          { trigger, steps, code: 'ACK_TIMEOUT', evidence, at },
          core.config['trigger.resumeAttempts'],
        ),
        core,
      )
      return null
  }
}
