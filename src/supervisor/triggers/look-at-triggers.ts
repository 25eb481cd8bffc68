// Owns the deadlines of triggers: acknowledgements that are awaited, and prompts that wait for a person.

import { tryCommit } from '../../changes/try-commit.ts'
import {
  type FallBack,
  fallBackChange,
  fallbacksIn,
  givenUp,
  nextWay,
} from '../../delivery/inputs/fall-back.ts'
import type { TriggerId } from '../../domain/names/ids.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { Trigger, TriggerStep } from '../../domain/task/input.ts'
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
  if (isRateLimited(trigger)) return queueWhenFree(trigger, core)
  if (trigger.state === 'deferred') return lookAgain(trigger, core)
  const steps = await core.store.triggerSteps(id)
  if (trigger.state === 'fallen_back') return checkFallbacks(trigger, steps, core)
  return trigger.framed === 1 && trigger.ackBy === null ? lookAtSilence(trigger, steps, core) : null
}

function lookAgain({ taskId }: Trigger, core: TriggersNeeds): number {
  lookAtScreenToo(taskId, core)
  return core.clock.now() + core.config['trigger.deferRecheck']
}

async function checkFallbacks(
  trigger: Trigger,
  steps: readonly TriggerStep[],
  core: TriggersNeeds,
): Promise<null> {
  const task = await core.store.task(trigger.taskId)
  // The last step is the fallback that is under way.
  const before = fallbacksIn(steps) - 1
  if (task !== undefined && nextWay(before, task, core.config['trigger.resumeAttempts']) === 'give_up')
    await tryCommit({ trigger: givenUp(trigger, task, steps, core.clock.now()) }, core)
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
  const evidence = [...evidenceOf(now - since), ...signs.evidence]
  return store(after, { trigger, task: watch.task, steps, evidence }, core)
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
  given: Pick<FallBack, 'task' | 'steps' | 'evidence'> & { readonly trigger: Trigger },
  core: TriggersNeeds,
): Promise<number | null> {
  const { evidence } = given
  const { triggerId: id, state: from } = given.trigger
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
        fallBackChange({ ...given, code: 'ACK_TIMEOUT', at }, core.config['trigger.resumeAttempts']),
        core,
      )
      return null
  }
}
