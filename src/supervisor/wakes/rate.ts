// Owns that threads and agents do not wake others too often: a wake-up that is one too many waits for a free place.
import { tryCommit } from '../../changes/try-commit.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { Trigger } from '../../domain/task/task.ts'
import { isPersonName } from '../../domain/thread/participant.ts'
import { mayWakeAt, RATE_WINDOW_MS } from '../../domain/thread/rate-limit.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'
import type { Core } from '../task/core.ts'

type Needs = Pick<Core, 'clock' | 'config'> & Reads<Pick<TriggerReads, 'wakesSince'>>
type Waker = Pick<Trigger, 'thread' | 'by'>

/** Epoch ms; the present when there is a free place. People are not limited, but their thread is. */
export async function freePlaceAt({ thread, by }: Waker, core: Needs): Promise<number> {
  const now = core.clock.now()
  const wakes = await core.store.wakesSince(now - RATE_WINDOW_MS)
  const timesOf = (is: (wake: (typeof wakes)[number]) => boolean) => wakes.filter(is).map(({ at }) => at)
  return mayWakeAt(
    {
      ofThread: timesOf((wake) => wake.thread === thread),
      ofAuthor: isPersonName(by) ? [] : timesOf((wake) => wake.by === by),
    },
    {
      perThread: core.config['trigger.ratePerThread'],
      perAgent: core.config['trigger.ratePerAgent'],
    },
    now,
  )
}

export const isRateLimited = ({ state, code }: Pick<Trigger, 'state' | 'code'>) =>
  state === 'deferred' && code === 'TRIGGER_RATE_LIMITED'

/** Epoch ms when to look again; null when it is in the queue now. */
export async function queueWhenFree(
  trigger: Trigger,
  core: Needs & Pick<Core, 'commit'>,
): Promise<number | null> {
  const at = core.clock.now()
  const freeAt = await freePlaceAt(trigger, core)
  if (freeAt > at) return freeAt
  const { triggerId: id, state: from } = trigger
  const evidence = [saw('clock', 'its thread may wake agents again')]
  await tryCommit({ trigger: { id, from, event: 'queued', at, evidence } }, core)
  return null
}
