// Owns runs whose handling kills the daemon: the dead daemon noted which runs it was handling; these are tried one by
// one, and left alone after the third death.

import { moveTask } from '../../changes/move-task.ts'
import { HOLDFAST_ASKS } from '../../domain/conversation/holdfast-question.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { Run } from '../../domain/task/run.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Core, Watch } from '../task/core.ts'

const MOST_DEATHS = 3

/** A quarantined run is no longer read or spoken to; its process goes on. Only an order to end it is carried out. */
export const isQuarantined = ({ daemonDeaths }: Run) => daemonDeaths >= MOST_DEATHS

export const isLeftAlone = ({ run, task }: Watch) =>
  isQuarantined(run) && task.stop === null && task.restart === null

/** Counts the death of the last daemon against the runs that it was handling. An orderly stop leaves none. */
export async function noteLastDeath({ handling, commit }: Pick<Core, 'commit' | 'handling'>): Promise<void> {
  const left = handling.left()
  if (left.length > 0) await commit({ daemonDied: left })
  handling.clear()
}

/**
 * Looks at suspect runs before everything else, one by one, so that the next death has one suspect. A run that is
 * handled without a death is no longer suspect.
 */
export async function trySuspects(
  core: Pick<Core, 'clock' | 'commit' | 'log' | 'watched'> & Reads<ConversationReads>,
  look: (watch: Watch) => Promise<void>,
): Promise<void> {
  for (const watch of [...core.watched.values()]) {
    const { run } = watch
    if (run.daemonDeaths === 0) continue
    if (isQuarantined(run)) await quarantine(watch, core)
    else {
      await look(watch)
      await core.commit({ daemonLives: run.id })
    }
  }
}

/** Asks a person what to do with the run. Doing it again changes nothing. */
async function quarantine(
  watch: Watch,
  core: Pick<Core, 'clock' | 'commit' | 'log'> & Reads<ConversationReads>,
): Promise<void> {
  const { task, run } = watch
  if (!isLeftAlone(watch)) return
  const open = await core.store.openQuestions(task.id)
  if (open.some(({ ref }) => ref === HOLDFAST_ASKS)) return
  const at = core.clock.now()
  const reason = `run ${run.id} is left alone: the daemon died ${run.daemonDeaths} times while handling it`
  await core.commit({
    task: moveTask({
      id: task.id,
      from: task.status,
      event: 'escalated',
      reason,
      evidence: [saw('store', `the daemon died ${run.daemonDeaths} times while handling it`)],
      at,
    }),
    question: {
      taskId: task.id,
      runId: run.id,
      text: `The Holdfast daemon died ${run.daemonDeaths} times while handling this run, and leaves it alone now: its agent goes on, but nobody watches it. End this run and retry, or close?`,
      options: ['retry', 'close'],
      ref: HOLDFAST_ASKS,
      askedAt: at,
    },
    audit: { at, kind: 'run_quarantined', taskId: task.id, actor: 'holdfast', detail: reason },
  })
  core.log.error('a run is quarantined', { task: task.id, run: run.id, deaths: run.daemonDeaths })
}
