// Owns letting tasks go on before their time, when a person asks for it. Done in the lane of waking, so that no waking is planned meanwhile.
import { HoldfastError } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { isTimed } from '../../domain/task/state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { Gate, GateReads } from '../../ports/store/gates.ts'
import type { Queue } from '../../ports/store/queue.ts'
import type { Reads } from '../../ports/store/store.ts'
import { gateKey } from '../recovering/gates.ts'
import type { Core } from '../task/core.ts'
import { existingTask } from '../task/existing-task.ts'
import type { OrdersNeeds } from './needs.ts'
import { type PersonDecision, personDecides } from './person-decides.ts'

type Word = Pick<PersonDecision, 'by' | 'prompt' | 'along'>

/** A task behind a closed gate becomes the gate's canary. */
export async function unpark({ id }: Task, word: Word, core: OrdersNeeds): Promise<void> {
  await core.withLock('waking', async () => {
    const task = await existingTask(id, core)
    const closed = (await core.store.gates()).filter(({ key, kind }) => key === gateKey(kind, task.account))
    const isQueued = task.status === 'pending' && closed.length > 0
    if (!isTimed(task) && !isQueued)
      throw new HoldfastError('NOT_PARKED', `Session ${id} does not wait for a limit or a pause to end.`)
    if (!core.watched.has(id)) for (const gate of closed) await letThrough(task, gate, word, core)
    if (isQueued) await core.whenScheduled()
    else await personDecides(id, { choice: 'resume', ...word }, core)
  })
}

const letThrough = ({ id }: Task, gate: Gate, { by }: Word, core: Pick<Core, 'clock' | 'commit'>) => {
  const at = core.clock.now()
  return core.commit({
    gate: { ...gate, canary: id },
    audit: { at, kind: 'gate_passed', taskId: id, actor: by, detail: gate.reason },
  })
}

/** Opens all gates, and returns their keys. */
export const openGates = (
  by: string,
  core: Pick<Core, 'withLock' | 'clock' | 'commit'> & Reads<GateReads>,
): Promise<string[]> =>
  core.withLock('waking', async () => {
    const gates = await core.store.gates()
    for (const { key, reason } of gates) {
      const audit: AuditEntry = {
        at: core.clock.now(),
        kind: 'gate_opened',
        taskId: null,
        actor: by,
        detail: reason,
      }
      await core.commit({ openGate: key, audit })
    }
    return gates.map(({ key }) => key)
  })

export const parkedTasks = async ({ store }: Reads<Queue>): Promise<TaskId[]> =>
  (await store.waiting()).flatMap(({ id, phase }) => (phase === 'parked' ? id : []))
