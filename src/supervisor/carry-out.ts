// Owns what follows a decision: it is recorded first, then acted on; each act looks before it touches, so that it can be done again.
import { saw } from '../domain/evidence.ts'
import type { StartRecord } from '../ports/run-files.ts'
import type { Core, Watch } from './core.ts'
import type { Decision, Observation } from './decide.ts'
import { endRun } from './end-run.ts'
import { harvest } from './harvest.ts'
import { staysWhenIdle } from './hearing.ts'
import { isPrompt } from './said.ts'
import { settleClaim } from './settle-claim.ts'
import { showStart } from './show-task.ts'
import { refresh } from './watch-task.ts'

/** Clock ticks of /proc are always 1/100 s for user space. */
const MS_PER_TICK = 10

export async function carryOut(
  decision: Decision,
  watch: Watch,
  seen: Observation,
  core: Core,
): Promise<void> {
  switch (decision.kind) {
    case 'leave_alone':
      return
    case 'adopt':
      return adopt(watch, decision.start, core)
    case 'settle_claim':
      return settleClaim(watch, 'no process appeared', core)
    case 'harvest':
      return harvest(watch, seen, core)
    case 'stop':
      return stop(watch, decision, core)
    case 'end_run':
      return endRun(watch, core)
  }
}

async function adopt(watch: Watch, start: StartRecord, core: Core): Promise<void> {
  const now = core.clock.now()
  // The process may have started long before we looked; after a suspend its ticks run ahead of the monotonic clock.
  const liveSinceMono = Math.round(Math.min(core.clock.monotonic(), start.startTicks * MS_PER_TICK))
  await core.store.record({
    run: {
      id: watch.run.id,
      from: 'launching',
      event: 'started',
      set: { ...start, startedAt: now, liveSinceMono },
    },
    task: {
      id: watch.task.id,
      from: 'running',
      event: 'agent_started',
      reason: `the agent runs as process ${start.pid}`,
      evidence: [saw('process', `pid ${start.pid}, start ${start.startTicks}`)],
      at: now,
    },
  })
  await refresh(watch, core)
  if (await hasNothingToDo(watch, core)) await rest(watch, core)
  await showStart(watch, core)
  core.poke(watch.task.id)
}

/** It came back with its last turn finished: it waits for its next prompt. */
const hasNothingToDo = async ({ task }: Watch, core: Core) =>
  task.goOn?.say === null &&
  staysWhenIdle(task) &&
  !(await core.store.inputs(task.id)).some((input) => isPrompt(input) && input.saidAt === null)

async function rest(watch: Watch, core: Core): Promise<void> {
  const { id, status } = watch.task
  const evidence = [saw('store', 'its last turn had finished')]
  const reason = 'back, and waits for its next prompt'
  await core.store.record({
    task: { id, from: status, event: 'turn_finished', reason, evidence, at: core.clock.now() },
  })
  await refresh(watch, core)
}

async function stop(
  watch: Watch,
  { why, reason, detail }: Decision & { readonly kind: 'stop' },
  core: Core,
): Promise<void> {
  const at = core.clock.now()
  const { id } = watch.task
  const audit = { at, kind: 'quota_exceeded', taskId: id, actor: 'holdfast', detail }
  await core.store.orderStop(id, { kind: why, by: 'holdfast', reason, at }, audit)
  await refresh(watch, core)
  await endRun(watch, core)
}
