// Owns waking tasks: reads which ones wait, plans which go on, stores that, and queues them again.

import { moveTask } from '../../changes/move-task.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { saw } from '../../domain/task/evidence.ts'
import { CONTINUATION } from '../../domain/task/go-on.ts'
import { gateOf, isTimed } from '../../domain/task/state.ts'
import type { Gate, GateReads } from '../../ports/store/gates.ts'
import type { Queue } from '../../ports/store/queue.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core } from '../task/core.ts'
import { canaryOf } from './canary.ts'
import { nextWake, planWaking } from './due-tasks.ts'
import { longestPauses } from './longest-pauses.ts'
import type { RecoveringNeeds } from './needs.ts'

/** So many queued tasks are considered as canaries. */
const QUEUE_LOOK = 200
/** Waiting tasks are looked at this often at least, so that a missed alarm delays no task for long. */
const LONGEST_SLEEP_MS = 60_000

/** Returns the epoch ms of the next look, or null when nothing waits. */
export async function wakeDueTasks(core: RecoveringNeeds & Pick<Core, 'pauses'>): Promise<number | null> {
  const { store, clock, config, ownTerms } = core
  const [waiting, gates] = await Promise.all([store.waiting(), store.gates()])
  if (waiting.length === 0 && gates.length === 0) return null
  const now = clock.now()
  const canaries = await Promise.all(gates.map((gate) => canaryOf(gate, core)))
  const plan = planWaking({
    now,
    minuteOfDay: clock.minuteOfDay(),
    quietHours: config['park.quietHours'],
    shortestBackoffMs: ownTerms.backoffBaseMs,
    longestBackoffMs: ownTerms.backoffCapMs,
    longestPauseMs: await longestPauses({ waiting, gates, now }, core),
    waiting,
    queued: gates.length === 0 ? [] : await store.queue(QUEUE_LOOK),
    gates,
    canary: (id) => canaries[gates.findIndex(({ canary }) => canary === id)] ?? 'gone',
  })
  for (const key of plan.open) await core.commit({ openGate: key })
  for (const gate of plan.change) await core.commit({ gate })
  for (const { canary } of plan.change) if (canary !== null) rememberCanary(canary, core)
  forgetCanaries(new Set([...gates, ...plan.change].map(({ canary }) => canary)), core)
  for (const { id, why } of plan.go) await core.withLock(id, () => letGoOn(id, why, core))
  for (const id of plan.follow) await core.withLock(id, () => releaseFromGate(id, core))
  return nextTime(core)
}

const rememberCanary = (id: TaskId, { canaries, watched }: Pick<Core, 'canaries' | 'watched'>) =>
  canaries.set(id, watched.get(id)?.run.progress ?? 0)

function forgetCanaries(trying: ReadonlySet<TaskId | null>, { canaries }: Pick<Core, 'canaries'>): void {
  for (const id of canaries.keys()) if (!trying.has(id)) canaries.delete(id)
}

async function nextTime({
  store,
  clock,
}: Pick<Core, 'clock'> & Reads<GateReads & Queue>): Promise<number | null> {
  const now = clock.now()
  const left = { waiting: await store.waiting(), gates: await store.gates(), now }
  if (left.waiting.length === 0 && left.gates.length === 0) return null
  return Math.min(nextWake(left) ?? Number.POSITIVE_INFINITY, now + LONGEST_SLEEP_MS)
}

/** After a gate opened, its tasks go on one after the other, so that they do not all run into the next limit. */
async function releaseFromGate(
  id: TaskId,
  core: Pick<Core, 'clock' | 'commit' | 'stagger' | 'watched'> & Reads<TaskReads>,
): Promise<void> {
  const at = core.clock.now()
  const until = core.stagger(at)
  const task = await core.store.task(id)
  if (task === undefined || !isTimed(task)) return
  const reason = freedFrom(gateOf(task))
  if (until <= at) return letGoOn(id, reason, core)
  await core.commit({
    task: moveTask({
      id,
      from: task.status,
      event: 'parked',
      until,
      gate: null,
      goOn: task.goOn,
      reason,
      evidence: [saw('store', 'its gate opened')],
      at,
    }),
  })
}

const FREED: Readonly<Record<Gate['kind'], string>> = {
  limit: 'the usage limit of its account no longer holds it back',
  environment: 'the failure of the machine or the network no longer holds it back',
  breaker: 'the failures of its agent and account no longer hold it back',
}

/** True also when a person opened the gate, and nobody knows whether its cause is over. */
function freedFrom(gate: string | null): string {
  const kind = Object.keys(FREED).find((one) => gate?.startsWith(one)) as Gate['kind'] | undefined
  return kind === undefined ? 'nothing holds it back any more' : FREED[kind]
}

/** A task whose run is still alive is not queued: its agent is told to go on. */
async function letGoOn(
  id: TaskId,
  reason: string,
  core: Pick<Core, 'clock' | 'commit' | 'watched'> & Reads<TaskReads>,
): Promise<void> {
  const task = await core.store.task(id)
  if (task === undefined || !isTimed(task)) return
  const at = core.clock.now()
  const moved = { id, from: task.status, reason, evidence: [saw('clock', reason)], at } as const
  // Nothing is stored when a person moved the task first.
  if (!core.watched.has(id))
    await tryCommit(
      { task: moveTask({ ...moved, event: 'requeued', goOn: task.goOn, set: { runId: null } }) },
      core,
    )
  else {
    const text = task.goOn.say ?? CONTINUATION
    await tryCommit(
      {
        task: moveTask({ ...moved, event: 'prompt_waits' }),
        input: { taskId: id, kind: 'continuation', text, by: 'holdfast', at },
      },
      core,
    )
  }
}
