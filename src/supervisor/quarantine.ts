// Owns runs whose handling kills the daemon: found by the breadcrumb, tried one by one, and after the third death left alone.
import { saw } from '../domain/evidence.ts'
import { HOLDFAST_ASKS } from '../domain/holdfast-question.ts'
import type { Run } from '../domain/task.ts'
import type { Core, Watch } from './core.ts'
import { refresh } from './watch-task.ts'

const MOST_DEATHS = 3

/** It is not read or spoken to any more; its process goes on. Only an order to end it is carried out. */
export const isQuarantined = ({ daemonDeaths }: Run) => daemonDeaths >= MOST_DEATHS

export const isLeftAlone = ({ run, task }: Watch) =>
  isQuarantined(run) && task.stop === null && task.restart === null

/** What the last daemon was inside of when it died counts against those runs. An orderly stop leaves nothing. */
export async function noteLastDeath({ handling, store }: Core): Promise<void> {
  await store.noteDaemonDeath(handling.left())
  handling.clear()
}

/** Before everything else and one by one, so that the next death has one suspect. Whoever is handled in peace is none. */
export async function trySuspects(core: Core, look: (watch: Watch) => Promise<void>): Promise<void> {
  for (const watch of [...core.watched.values()]) {
    const { run } = watch
    if (run.daemonDeaths === 0) continue
    if (isQuarantined(run)) await quarantine(watch, core)
    else {
      await look(watch)
      await core.store.forgiveDaemonDeaths(run.id)
      if (core.watched.get(watch.task.id) === watch) await refresh(watch, core)
    }
  }
}

/** A person decides: the task waits for their word. Doing it again changes nothing. */
export async function quarantine(watch: Watch, core: Core): Promise<void> {
  const { task, run } = watch
  if (!isLeftAlone(watch)) return
  const open = await core.store.openQuestions(task.id)
  if (open.some(({ ref }) => ref === HOLDFAST_ASKS)) return
  const at = core.clock.now()
  const reason = `run ${run.id} is left alone: the daemon died ${run.daemonDeaths} times while handling it`
  await core.store.record({
    task: {
      id: task.id,
      from: task.status,
      event: 'escalated',
      reason,
      evidence: [saw('store', `${run.daemonDeaths} daemon deaths in its handling`)],
      at,
    },
    question: {
      taskId: task.id,
      runId: run.id,
      text: `Holdfast died ${run.daemonDeaths} times while handling this run and leaves it alone; its agent goes on unwatched. End it and retry, or close?`,
      options: ['retry', 'close'],
      ref: HOLDFAST_ASKS,
      askedAt: at,
    },
    audit: { at, kind: 'run_quarantined', taskId: task.id, actor: 'holdfast', detail: reason },
  })
  core.log.error('a run is quarantined', { task: task.id, run: run.id, deaths: run.daemonDeaths })
  await refresh(watch, core)
}
