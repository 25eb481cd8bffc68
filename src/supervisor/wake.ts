// Owns carrying out who goes on: what waits is looked at, planned, stored and queued again.
import { isHoldfastError } from '../domain/errors.ts'
import { saw } from '../domain/evidence.ts'
import { CONTINUATION } from '../domain/go-on.ts'
import type { TaskId } from '../domain/ids.ts'
import type { Task } from '../domain/task.ts'
import { isEnded } from '../domain/task-machine.ts'
import type { Gate } from '../ports/store-changes.ts'
import type { Core } from './core.ts'
import { type Canary, nextWake, planWaking } from './waking.ts'
import { lookAgain, refresh } from './watch-task.ts'

const QUEUE_LOOK = 200
/** So that a missed moment is made up for. */
const LONGEST_SLEEP_MS = 60_000

/** Returns when to look again, or null when nothing waits. */
export async function wake(core: Core): Promise<number | null> {
  const { store, clock, config } = core
  const [waiting, gates] = await Promise.all([store.waiting(), store.gates()])
  if (waiting.length === 0 && gates.length === 0) return null
  const now = clock.now()
  const canaries = await Promise.all(gates.map((gate) => canaryOf(gate, core)))
  const plan = planWaking({
    now,
    minuteOfDay: clock.minuteOfDay(),
    quietHours: config['park.quietHours'],
    longestBackoffMs: config['backoff.cap'],
    waiting,
    queued: gates.length === 0 ? [] : await store.queue(QUEUE_LOOK),
    gates,
    canary: (id) => canaries[gates.findIndex(({ canary }) => canary === id)] ?? 'gone',
  })
  for (const key of plan.open) await store.record({ openGate: key })
  for (const gate of plan.change) await store.record({ gate })
  for (const { canary } of plan.change) if (canary !== null) awaitCanary(canary, core)
  forgetCanaries(new Set([...gates, ...plan.change].map(({ canary }) => canary)), core)
  for (const { id, why } of plan.go) await core.alone(id, () => requeue(id, why, core))
  for (const id of plan.follow) await core.alone(id, () => follow(id, core))
  if (plan.go.length + plan.open.length + plan.change.length > 0) void core.scheduleSoon()
  return nextTime(core)
}

const awaitCanary = (id: TaskId, { canaries, watched }: Core) =>
  canaries.set(id, watched.get(id)?.run.progress ?? 0)

function forgetCanaries(trying: ReadonlySet<TaskId | null>, { canaries }: Core): void {
  for (const id of canaries.keys()) if (!trying.has(id)) canaries.delete(id)
}

async function nextTime({ store, clock }: Core): Promise<number | null> {
  const now = clock.now()
  const left = { waiting: await store.waiting(), gates: await store.gates(), now }
  if (left.waiting.length === 0 && left.gates.length === 0) return null
  return Math.min(nextWake(left) ?? Number.POSITIVE_INFINITY, now + LONGEST_SLEEP_MS)
}

async function canaryOf({ canary: id, since }: Gate, { store, canaries }: Core): Promise<Canary> {
  const task = id === null ? undefined : await store.task(id)
  if (task === undefined) return 'gone'
  if (task.status === 'completed') return 'gets_on'
  if (isEnded(task.status) || task.status === 'waiting_input') return 'gone'
  if (task.phase === 'parked' || task.phase === 'backing_off') return 'gone'
  const run = task.runId === null ? undefined : await store.run(task.runId)
  if (run === undefined) return 'trying'
  // A run that was there before the gate closed had achieved something before it, too.
  const before = canaries.get(task.id) ?? (run.createdAt >= since ? 0 : run.progress)
  canaries.set(task.id, before)
  return run.progress > before ? 'gets_on' : 'trying'
}

/** A gate opened: one after the other, so that they do not run into the next limit together. */
async function follow(id: TaskId, core: Core): Promise<void> {
  const at = core.clock.now()
  const until = core.stagger(at)
  const reason = 'the way is free again'
  if (until <= at) return requeue(id, reason, core)
  const task = await core.store.task(id)
  if (task === undefined || !waits(task)) return
  await core.store.record({
    task: {
      id,
      from: task.status,
      event: 'parked',
      reason,
      evidence: [saw('store', 'its gate opened')],
      at,
      set: { gate: null, phaseUntil: until },
    },
  })
}

const waits = ({ phase }: Task) => phase === 'backing_off' || phase === 'parked'

/** A run that is still there is only told to go on. */
export async function requeue(id: TaskId, reason: string, core: Core): Promise<void> {
  const task = await core.store.task(id)
  if (task === undefined || !waits(task)) return
  const at = core.clock.now()
  const watch = core.watched.get(id)
  const evidence = [saw('clock', reason)]
  const moved = { id, from: task.status, reason, evidence, at } as const
  try {
    if (watch === undefined)
      await core.store.record({ task: { ...moved, event: 'requeued', set: { gate: null, runId: null } } })
    else {
      const say = {
        taskId: id,
        kind: 'continuation',
        text: task.goOn?.say ?? CONTINUATION,
        by: 'holdfast',
        at,
      } as const
      await core.store.record({ task: { ...moved, event: 'turn_began', set: { gate: null } }, input: say })
      await refresh(watch, core)
      lookAgain(id, core)
    }
  } catch (error) {
    // A person was quicker.
    if (isHoldfastError(error, 'TRANSITION_CONFLICT')) return
    throw error
  }
  core.bell.ring(id)
  core.laterShows.add(id)
}
