// Owns waiting for tasks through everything: the daemon may die, be restarted or be stopped meanwhile.
import type { MonitorAskJson, MonitorLookJson } from '../../protocol/monitor-json.ts'
import { isConnectionError } from '../wire/daemon-error.ts'
import { type Following, waitForDaemon } from './follow.ts'

/** One question to the daemon stays open so long, at most. */
const LOOK_EVERY_SECONDS = 30

export type Waiting = {
  readonly ask: Omit<MonitorAskJson, 'seen' | 'wait_seconds'>
  /** Null: for ever. */
  readonly timeoutMs: number | null
  readonly maxPolls: number
  /** Called with every look that does not end it. */
  readonly onLook: (look: MonitorLookJson) => void
}

/** The last look, and whether patience ran out: by the clock, or by so many looks. */
export type Waited = { readonly look: MonitorLookJson; readonly gaveUp: 'timeout' | 'polls' | null }

export async function waitForTasks(waiting: Waiting, context: Following): Promise<Waited> {
  const { ask, timeoutMs, maxPolls, onLook } = waiting
  const deadline = timeoutMs === null ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs
  let look: MonitorLookJson | undefined
  for (let polls = 0, daemon = context.daemon(); ; ) {
    try {
      look = await daemon.call('POST /api/monitor', { body: { ...ask, ...continuedFrom(look, deadline) } })
      if (look.over) return { look, gaveUp: null }
      onLook(look)
      if (++polls >= maxPolls) return { look, gaveUp: 'polls' }
      // From here on one that was stopped is not started again.
      daemon = context.runningDaemon()
    } catch (error) {
      if (!isConnectionError(error) || (look === undefined && isPast(deadline))) throw error
      await waitForDaemon(context, deadline)
      daemon = context.daemon()
    }
    if (look !== undefined && isPast(deadline)) return { look, gaveUp: 'timeout' }
  }
}

/** Where the last look left off; with whole ids, because what they begin with may fit others by now. */
function continuedFrom(look: MonitorLookJson | undefined, deadline: number) {
  const left = Math.max(0, deadline - performance.now()) / 1000
  const wait_seconds = Math.min(LOOK_EVERY_SECONDS, left)
  if (look === undefined) return { wait_seconds }
  return { wait_seconds, seen: look.seen, ids: look.tasks.map(({ session_id }) => session_id) }
}

const isPast = (deadline: number) => performance.now() >= deadline
