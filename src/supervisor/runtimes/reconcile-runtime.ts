// Owns the comparison of one runtime's row with what is there: the row follows, and each step is stored with its evidence.

import { tryCommit } from '../../changes/try-commit.ts'
import { DRIFT_WORDS } from '../../domain/runtime/drift.ts'
import type { RuntimeEvent } from '../../domain/runtime/machine.ts'
import { nextRuntimeState } from '../../domain/runtime/next-runtime-state.ts'
import { eventForSight, isDrift, type RuntimeSight } from '../../domain/runtime/reconcile.ts'
import type { Runtime } from '../../domain/runtime/runtime.ts'
import { termsOf } from '../../domain/settings/task-terms.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import { isEnded } from '../../domain/task/machine.ts'
import { durationText } from '../../domain/text/duration.ts'
import type { Pane } from '../../ports/run/terminal.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { RuntimeNotes } from '../../ports/store/runtimes.ts'
import { orderKill } from '../orders/kill-task.ts'
import { forget, noteDrift, putInPlace } from './heal-drift.ts'
import type { RuntimesNeeds } from './needs.ts'
import { noteOperator } from './operator-at-pane.ts'
import { type Seen, sightOf } from './sight-of.ts'

/** More steps than any sight needs. */
const MOST_STEPS = 4
/** They bring a process back that had gone. */
const RESTARTS: ReadonlySet<RuntimeEvent> = new Set(['reconcile_restart', 'spawn_new_runtime'])

/** `panes`: undefined when tmux cannot be asked. */
export async function reconcileRuntime(
  runtime: Runtime,
  panes: readonly Pane[] | undefined,
  core: RuntimesNeeds,
): Promise<void> {
  const seen = await seenOf(runtime, panes, core)
  const sight = sightOf(seen)
  if (seen.task === undefined) return forget(runtime, core)
  if (isDrift(sight, runtime.state)) await noteDrift(runtime, DRIFT_WORDS.pane_gone, core)
  await putInPlace(seen, core)
  await follow(seen, sight, core)
  await noteFacts(seen, sight, core)
  await noteOperator(seen, core)
  await stopUnwanted(seen, core)
}

async function seenOf(
  runtime: Runtime,
  panes: readonly Pane[] | undefined,
  core: RuntimesNeeds,
): Promise<Seen> {
  const watch = core.watched.get(runtime.taskId)
  const task = watch?.task ?? (await core.store.task(runtime.taskId))
  const runId = watch?.run.id ?? task?.runId ?? null
  // A run whose process ended by itself leaves its pane behind.
  const pane = runId === null ? undefined : panes && (panes.find(({ mark }) => mark === runId) ?? null)
  const { startTimeoutMs } = task === undefined ? core.ownTerms : termsOf(task, core)
  return { runtime, task, watch, pane, now: core.clock.now(), startTimeoutMs }
}

async function follow(seen: Seen, sight: RuntimeSight, core: RuntimesNeeds): Promise<void> {
  let { state, restarts } = seen.runtime
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const event = eventForSight(sight, state)
    if (event === null) return
    if (RESTARTS.has(event)) restarts++
    const at = core.clock.now()
    const move = { id: seen.runtime.id, from: state, event, reason: reasonFor(sight, seen), at }
    const to = nextRuntimeState(state, event)
    const moveRuntime = { ...move, evidence: evidenceOf(seen), set: { restarts } }
    const moved = await tryCommit(
      { moveRuntime, ...(to === 'failed' ? { audit: failedAudit(seen, move) } : {}) },
      core,
    )
    // Somebody else moved it: the next look goes on from there.
    if (moved === undefined) return
    state = to
  }
}

const failedAudit = (
  { runtime }: Seen,
  { reason, at }: { readonly reason: string; readonly at: number },
): AuditEntry => ({
  at,
  kind: 'runtime_restart_failed',
  taskId: runtime.taskId,
  actor: 'holdfast',
  detail: `${runtime.agentId}: ${reason}`,
})

async function noteFacts(seen: Seen, sight: RuntimeSight, core: RuntimesNeeds): Promise<void> {
  const { runtime, watch } = seen
  const now: RuntimeNotes = {
    pid: watch?.run.state === 'live' ? watch.run.pid : null,
    // A person closed it by their answer, or with `kill` before it was a runtime's to refuse.
    wanted: sight === 'stopped' ? 'stopped' : runtime.wanted,
  }
  const changed = Object.entries(now).filter(([name, value]) => runtime[name as keyof RuntimeNotes] !== value)
  if (changed.length > 0)
    await core.commit({ noteRuntime: { id: runtime.id, set: Object.fromEntries(changed) } })
}

/** A daemon that died while it stopped a runtime left it up. */
async function stopUnwanted({ runtime, task }: Seen, core: RuntimesNeeds): Promise<void> {
  if (runtime.wanted === 'up' || task === undefined || isEnded(task.status) || task.stop !== null) return
  await orderKill(task.id, { by: 'holdfast', reason: 'the runtime was stopped' }, core)
}

function evidenceOf({ task, watch, pane }: Seen): Evidence[] {
  return [
    saw(
      'store',
      task === undefined ? 'no task' : `task ${task.status}${task.phase === null ? '' : `, ${task.phase}`}`,
    ),
    ...(watch === undefined
      ? []
      : [saw('process', `run ${watch.run.state}, pid ${watch.run.pid ?? 'unknown'}`)]),
    ...(pane === undefined ? [] : [saw('tmux', pane === null ? 'no pane of its run' : `pane ${pane.pane}`)]),
  ]
}

function reasonFor(sight: RuntimeSight, { task, startTimeoutMs }: Seen): string {
  switch (sight) {
    case 'stopped':
      return 'stopped'
    case 'given_up':
      return task?.reason ?? 'it does not come back by itself'
    case 'first':
      return 'waits for its first start'
    case 'waits':
      return task?.reason ?? 'its process has ended'
    case 'starting':
      return 'its agent is being started'
    case 'anew':
      return 'its agent is being started in a new session'
    case 'late':
      return `its agent shows no prompt after ${durationText(startTimeoutMs)}`
    case 'up':
      return 'its agent is there'
    case 'stuck':
      return task?.reason ?? 'its agent shows no sign of life'
    case 'replaced':
      return 'its run is ended for a prompt'
    case 'paneless':
      return 'its pane is gone'
  }
}
