// Owns one check whether a session is alive, and remembering which statusline clock it saw.
import { otherChecks, type SessionState, withClock } from '../../domain/task/session-state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Core, Watch } from '../task/core.ts'
import { silenceLimitMs, statuslineOn } from '../watching/life.ts'

export type StatusCheck = {
  readonly state: SessionState
  /** What all checks but the clock say. */
  readonly other: SessionState
  /** The statusline clock that the last check saw in this run. */
  readonly previous: string | null
  /** The statusline clock that this check saw. */
  readonly current: string | null
  readonly contextPercent: number | null
  readonly silentMs: number | null
}

/** The clock is compared with what the last check of the same run saw. That is kept in a file, so it survives the daemon. */
export async function checkStatus(
  task: Task,
  core: Pick<Core, 'handoff' | 'ownTerms' | 'terminal' | 'watched'> & Reads<ConversationReads>,
): Promise<StatusCheck> {
  const watch = core.watched.get(task.id)
  const silentMs = watch?.life?.silentMs ?? null
  const isSilent = watch !== undefined && (silentMs ?? 0) >= silenceLimitMs(watch, core)
  const other = otherChecks(task, await core.store.openQuestions(task.id), isSilent)
  const { previous, current, contextPercent } = await readClock(watch, core)
  return { state: withClock(other, previous, current), other, previous, current, contextPercent, silentMs }
}

async function readClock(watch: Watch | undefined, core: Pick<Core, 'handoff' | 'terminal'>) {
  if (watch === undefined) return { previous: null, current: null, contextPercent: null }
  const { task, run } = watch
  const seen = await core.handoff.clockSeen(task)
  const statusline = await statuslineOn(watch, core)
  if (statusline !== undefined) await core.handoff.keepClock(task, { runId: run.id, clock: statusline.clock })
  return {
    previous: seen?.runId === run.id ? seen.clock : null,
    current: statusline?.clock ?? null,
    contextPercent: statusline?.contextPercent ?? null,
  }
}
