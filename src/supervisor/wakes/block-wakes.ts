// Owns what becomes of a parent that is woken no more: people are told, and one that waits for its children asks.
import { moveTask } from '../../changes/move-task.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import { HOLDFAST_ASKS } from '../../domain/conversation/holdfast-question.ts'
import { saw } from '../../domain/task/evidence.ts'
import { waitsForChildren } from '../../domain/task/state.ts'
import type { Task } from '../../domain/task/task.ts'
import { wakesOf } from '../../domain/task/wake-guard.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { OutboxRow } from '../../ports/store/outbox.ts'
import type { WakesNeeds } from './needs.ts'

/** More rows than a parent gets between the wake-ups that count. */
const MOST_ROWS = 1000

export const hasProgress = (rows: readonly OutboxRow[]) =>
  rows.some(({ what }) => what === 'completed' || what === 'turn_finished')

/** True when the parent is not to be woken now. Said to people once for each time. */
export async function isWokenNoMore(
  task: Task,
  rows: readonly OutboxRow[],
  core: WakesNeeds,
): Promise<boolean> {
  if (hasProgress(rows)) return false
  const wakes = wakesOf(await core.store.audits({ taskId: task.id, limit: MOST_ROWS }))
  if (wakes.withoutProgress < core.config['thread.maxTurns']) return false
  if (!wakes.isBlocked) await tryCommit(blocking(task, wakes.withoutProgress, core), core)
  return true
}

function blocking(task: Task, times: number, { clock }: Pick<WakesNeeds, 'clock'>): Change {
  const { id, status, runId } = task
  const at = clock.now()
  const why = `it was woken ${times} times in a row by sessions that it started, and none of them had completed`
  const told = {
    event: {
      at,
      kind: 'escalation',
      taskId: id,
      data: { reason: `${why}: it is told of more after a person has spoken to it` },
    },
    audit: { at, kind: 'parent_wakes_blocked', taskId: id, actor: 'holdfast', detail: why },
  } as const
  if (!waitsForChildren(task) || runId === null) return told
  const text = `Session ${id} goes in circles: ${why}. Shall it go on?`
  return {
    ...told,
    task: moveTask({
      event: 'question_asked',
      id,
      from: status,
      reason: why,
      evidence: [saw('store', why)],
      at,
    }),
    question: { taskId: id, runId, text, options: ['resume', 'close'], ref: HOLDFAST_ASKS, askedAt: at },
  }
}
