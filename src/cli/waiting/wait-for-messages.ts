// Owns waiting for messages of a thread, whatever happens: the daemon may die, be restarted or be stopped meanwhile.
import type { UnreadJson } from '../../protocol/json/thread-json.ts'
import { isConnectionError } from '../wire/daemon-error.ts'
import { type Following, waitForDaemon } from './follow.ts'

/** How long one request to the daemon stays open at most. */
const ASK_SECONDS = 30

export type MessageWait = {
  readonly id: string
  readonly limit: number | undefined
  /** Undefined: not at all. Null: without a limit. */
  readonly waitSeconds: number | null | undefined
}

/** The answer has no messages when none came in time. */
export async function waitForMessages(
  { id, limit, waitSeconds }: MessageWait,
  context: Following,
): Promise<UnreadJson> {
  const patienceMs = waitSeconds === null ? Number.POSITIVE_INFINITY : (waitSeconds ?? 0) * 1000
  const deadline = performance.now() + patienceMs
  for (let daemon = context.daemon(); ; ) {
    const left = Math.max(0, deadline - performance.now()) / 1000
    try {
      const body = { limit, wait_seconds: Math.min(ASK_SECONDS, left) }
      const unread = await daemon.call('POST /api/threads/:id/read', { id, body })
      if (unread.messages.length > 0 || performance.now() >= deadline) return unread
      // From here on, a daemon that a person stopped is not started again.
      daemon = context.runningDaemon()
    } catch (error) {
      if (!isConnectionError(error) || performance.now() >= deadline) throw error
      await waitForDaemon({ home: context.home, say: () => context.say(STOPPED) }, deadline)
      daemon = context.daemon()
    }
  }
}

const STOPPED = 'The daemon was stopped. Waiting until it is started again with `holdfast up`.'
