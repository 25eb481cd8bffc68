// Owns that threads and agents do not wake others too often: a prompt that is one too many waits for a free place.
import { tryCommit } from '../../changes/try-commit.ts'
import { runIn } from '../../domain/task/caller.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { Trigger } from '../../domain/task/input.ts'
import { isPersonName, nameOfTask } from '../../domain/thread/participant.ts'
import { mayWakeAt, RATE_WINDOW_MS } from '../../domain/thread/rate-limit.ts'
import type { InputDraft } from '../../ports/store/conversation.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'
import type { Core } from '../task/core.ts'

export type RateNeeds = Pick<Core, 'clock' | 'config'> &
  Reads<Pick<TriggerReads, 'wakesSince'> & Pick<RunReads, 'run'> & Pick<TaskReads, 'task'>>
export type Waker = Pick<Trigger, 'thread' | 'by'>

/** Epoch ms; the present when there is a free place. People are not limited, but their thread is. */
export async function freePlaceAt({ thread, by }: Waker, core: RateNeeds): Promise<number> {
  const now = core.clock.now()
  const wakes = await core.store.wakesSince(now - RATE_WINDOW_MS)
  const agents = await agentsBehind([by, ...wakes.map((wake) => wake.by)], core)
  const timesOf = (is: (wake: (typeof wakes)[number]) => boolean) => wakes.filter(is).map(({ at }) => at)
  return mayWakeAt(
    {
      ofThread: thread === null ? [] : timesOf((wake) => wake.thread === thread),
      ofAuthor: isPersonName(by) ? [] : timesOf((wake) => agents.get(wake.by) === agents.get(by)),
    },
    {
      perThread: core.config['trigger.ratePerThread'],
      perAgent: core.config['trigger.ratePerAgent'],
    },
    now,
  )
}

/** An agent posts in its own name, and sends prompts in that of its run: both are counted together. */
async function agentsBehind(
  names: readonly string[],
  { store }: Pick<RateNeeds, 'store'>,
): Promise<ReadonlyMap<string, string>> {
  const agentBehind = async (name: string) => {
    const runId = runIn(name)
    const run = runId === undefined ? undefined : await store.run(runId)
    const task = run === undefined ? undefined : await store.task(run.taskId)
    return [name, task === undefined ? name : nameOfTask(task)] as const
  }
  return new Map(await Promise.all([...new Set(names)].map(agentBehind)))
}

/** Why it waits; undefined when there is a free place. */
export async function whyLater(
  waker: Waker,
  core: RateNeeds,
): Promise<NonNullable<InputDraft['deferred']> | undefined> {
  const freeAt = await freePlaceAt(waker, core)
  if (freeAt <= core.clock.now()) return undefined
  const of = waker.thread === null ? waker.by : `thread ${waker.thread}`
  const fact = `${of} may wake agents again at ${new Date(freeAt).toISOString()}`
  return { code: 'TRIGGER_RATE_LIMITED', evidence: [saw('clock', fact)] }
}

export const isRateLimited = ({ state, code }: Pick<Trigger, 'state' | 'code'>) =>
  state === 'deferred' && code === 'TRIGGER_RATE_LIMITED'

/** Epoch ms when to look again; null when it is in the queue now. */
export async function queueWhenFree(
  trigger: Trigger,
  core: RateNeeds & Pick<Core, 'commit'>,
): Promise<number | null> {
  const at = core.clock.now()
  const freeAt = await freePlaceAt(trigger, core)
  if (freeAt > at) return freeAt
  const { triggerId: id, state: from } = trigger
  const evidence = [saw('clock', 'agents may be woken again by its thread, and by whoever sent it')]
  await tryCommit({ trigger: { id, from, event: 'queued', at, evidence } }, core)
  return null
}
