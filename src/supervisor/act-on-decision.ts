// Owns acting on a decision: it is stored first, then acted on. Each act checks the current state first, so that it can be repeated.

import { moveTask } from '../changes/move-task.ts'
import { tryCommit } from '../changes/try-commit.ts'
import { endInput } from '../delivery/lines/end-input.ts'
import { saw } from '../domain/task/evidence.ts'
import type { StartRecord } from '../ports/run/run-files.ts'
import type { AuditEntry } from '../ports/store/audit.ts'
import type { ConversationReads } from '../ports/store/conversation.ts'
import type { Reads } from '../ports/store/store.ts'
import type { TaskReads } from '../ports/store/tasks.ts'
import { harvest } from './ending/harvest.ts'
import { NO_PROCESS, resolveLaunchClaim } from './ending/resolve-launch-claim.ts'
import type { SupervisingNeeds } from './needs.ts'
import type { Core, Watch } from './task/core.ts'
import { endRun, endsRun } from './task/end-run.ts'
import { comeToRest, hasNothingToDo } from './watching/come-to-rest.ts'
import type { Decision, Observation } from './watching/decide.ts'
import { startOf } from './watching/observe.ts'

/** A clock tick of /proc is always 1/100 s for user space. */
const MS_PER_TICK = 10

export async function actOnDecision(
  decision: Decision,
  watch: Watch,
  seen: Observation,
  core: SupervisingNeeds,
): Promise<void> {
  switch (decision.kind) {
    case 'leave_alone':
      return
    case 'adopt':
      return adopt(watch, decision.start, core)
    case 'resolve_claim':
      return resolveLaunchClaim(watch, NO_PROCESS, core)
    case 'harvest':
      return harvest(watch, seen, core)
    case 'stop':
      return stop(watch, decision, core)
    case 'finish':
      return watch.task.mode === 'headless'
        ? endInput(watch, endsRun(watch, core), core)
        : endRun(watch, core)
    case 'end_run':
      return endRun(watch, core)
  }
}

async function adopt(
  watch: Watch,
  start: StartRecord,
  core: Pick<Core, 'clock' | 'commit' | 'requestLook' | 'runFiles'> & Reads<ConversationReads & TaskReads>,
): Promise<void> {
  const now = core.clock.now()
  // The process may have started long before this look, so its start time counts. Its ticks include time in suspend, so they may be ahead of the monotonic clock.
  const liveSinceMono = Math.round(Math.min(core.clock.monotonic(), start.startTicks * MS_PER_TICK))
  const startedAt = (await startOf(watch.run, now, core)) ?? now
  const comesBack = await hasNothingToDo(watch, core)
  const started = moveTask({
    id: watch.task.id,
    from: 'running',
    event: 'agent_started',
    reason: `the agent runs as process ${start.pid}`,
    evidence: [saw('process', `pid ${start.pid}, start ${start.startTicks}`)],
    at: now,
  })
  // A process alone does not prove that the agent's interface waits for a prompt: the screen will show that.
  const isStarting = comesBack && watch.task.mode === 'interactive'
  await core.commit({
    run: {
      id: watch.run.id,
      from: 'launching',
      event: 'started',
      set: { ...start, startedAt, liveSinceMono },
    },
    ...(isStarting ? {} : { task: started }),
  })
  if (comesBack && !isStarting) await comeToRest(watch, [], core)
  core.requestLook(watch.task.id)
}

async function stop(
  watch: Watch,
  { why, reason, detail }: Decision & { readonly kind: 'stop' },
  core: SupervisingNeeds,
): Promise<void> {
  const at = core.clock.now()
  const { id } = watch.task
  const audit: AuditEntry = { at, kind: 'quota_exceeded', taskId: id, actor: 'holdfast', detail }
  await tryCommit({ stop: { id, order: { kind: why, by: 'holdfast', reason, at } }, audit }, core)
  await endRun(watch, core)
}
