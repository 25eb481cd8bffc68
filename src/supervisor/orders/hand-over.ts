// Owns moving a task into a terminal, where a person takes it over, and back to headless work.

import { moveTask } from '../../changes/move-task.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import { HoldfastError } from '../../domain/errors.ts'
import { saw } from '../../domain/task/evidence.ts'
import { CONTINUATION_AFTER_HANDBACK, type GoOn } from '../../domain/task/go-on.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Order } from '../../domain/task/order.ts'
import type { Mode, Task } from '../../domain/task/task.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import { goOnAfter, inOtherMode } from '../recovering/go-on-after.ts'
import type { Core } from '../task/core.ts'
import { existingTask } from '../task/existing-task.ts'
import type { OrdersNeeds } from './needs.ts'

/** The agent is told nothing when it is resumed: the person says what comes next. */
export const takeOver = (task: Task, order: Given, core: OrdersNeeds) =>
  handOver(task, { kind: 'takeover', mode: 'interactive', goOn: { how: 'resume', say: null } }, order, core)

export const handBack = (task: Task, order: Given, core: OrdersNeeds) =>
  handOver(
    task,
    { kind: 'handback', mode: 'headless', goOn: { how: 'resume', say: CONTINUATION_AFTER_HANDBACK } },
    order,
    core,
  )

type Given = Pick<Order, 'id' | 'by'>
type Handover = { readonly kind: 'takeover' | 'handback'; readonly mode: Mode; readonly goOn: GoOn }

/** A living run is ended first; then the session goes on in the other mode. */
async function handOver(asked: Task, over: Handover, order: Given, core: OrdersNeeds): Promise<Task> {
  const { id } = asked
  await core.withLock(id, async () => {
    const task = await existingTask(id, core)
    check(task, over, core)
    if (core.watched.has(id)) await orderRestart(task, over, order, core)
    else await requeueIn(task, over, order, core)
  })
  await core.whenScheduled()
  await core.taskFiles.whenWritten(id)
  return await existingTask(id, core)
}

function check(task: Task, { kind, mode }: Handover, core: Pick<Core, 'driver' | 'terminal'>): void {
  const { can, kind: agent } = driverOf(task, core)
  if (isEnded(task.status)) throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${task.id} has ended.`)
  if (task.mode === mode)
    throw new HoldfastError(
      'TASK_ACTIVE',
      kind === 'takeover'
        ? `${task.id} is in its terminal already.`
        : `${task.id} works without a terminal already.`,
    )
  const outage = mode === 'interactive' ? core.terminal.outage() : null
  if (outage !== null)
    throw new HoldfastError('TMUX_UNAVAILABLE', `${outage.why} ${task.id} goes on without a terminal.`)
  if (!can.modes.includes(mode) || !can.resume)
    throw new HoldfastError('AGENT_CANNOT', `The agent '${agent}' cannot go on in ${mode} mode.`)
  if (task.sessionId === null)
    throw new HoldfastError(
      'TASK_ACTIVE',
      `The session id of ${task.id} is not known yet: try again in a moment.`,
    )
}

async function orderRestart(
  task: Task,
  { kind, mode, goOn }: Handover,
  { id: effectOf, by }: Given,
  core: Pick<Core, 'clock' | 'commit'>,
): Promise<void> {
  const at = core.clock.now()
  const order = { kind, by, reason: `${kind} by ${by}`, at, goOn, mode }
  const audit: AuditEntry = { at, kind: `task_${kind}`, taskId: task.id, actor: by, detail: order.reason }
  if ((await tryCommit({ restart: { id: task.id, order }, effectOf, audit }, core)) === undefined)
    throw new HoldfastError('TASK_ACTIVE', `Session ${task.id} is being ended already.`)
}

async function requeueIn(
  task: Task,
  { kind, mode, goOn }: Handover,
  { id: effectOf, by }: Given,
  core: Pick<Core, 'clock' | 'commit' | 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<void> {
  const at = core.clock.now()
  const { id, status } = task
  if (status === 'pending')
    throw new HoldfastError('TASK_ACTIVE', `Session ${id} waits in the queue: try again when it runs.`)
  const [runs, inputs] = await Promise.all([core.store.runsOf(id), core.store.inputs(id)])
  const hasAsked = task.phase === 'asking'
  const possible = goOnAfter({
    task,
    runs,
    inputs,
    driver: driverOf(task, core),
    sessionIsLost: false,
    hasAsked,
  })
  await core.commit({
    task: moveTask({
      id,
      from: status,
      event: 'requeued',
      goOn: inOtherMode(goOn, possible),
      reason: `${kind} by ${by}`,
      evidence: [saw('person', by)],
      at,
      set: { mode, runId: null, retries: 0 },
    }),
    effectOf,
    audit: { at, kind: `task_${kind}`, taskId: id, actor: by, detail: `${kind} by ${by}` },
  })
}
