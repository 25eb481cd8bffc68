// Owns going on before the time has come, by a person's word. In the lane of waking, so that nothing is planned meanwhile.
import { HoldfastError } from '../domain/errors.ts'
import type { TaskId } from '../domain/ids.ts'
import type { Task } from '../domain/task.ts'
import type { Gate } from '../ports/store-changes.ts'
import type { Core } from './core.ts'
import { gateKey } from './gates.ts'
import { type PersonsWord, personDecides } from './person-decides.ts'

type Word = Pick<PersonsWord, 'by' | 'prompt'>
export type Unparked = { readonly opened: readonly string[]; readonly tasks: readonly TaskId[] }

/** Behind a closed gate it becomes the one that tries first. */
export async function unpark({ id }: Task, word: Word, core: Core): Promise<void> {
  await core.alone('waking', async () => {
    const task = (await core.store.task(id))!
    const closed = (await core.store.gates()).filter(({ key, kind }) => key === gateKey(kind, task.account))
    const isQueued = task.status === 'pending' && closed.length > 0
    if (!isWaiting(task) && !isQueued)
      throw new HoldfastError('NOT_PARKED', `Session ${id} does not wait for a time.`)
    if (!core.watched.has(id)) for (const gate of closed) await letThrough(task, gate, word.by, core)
    if (isQueued) await core.scheduleSoon()
    else await personDecides(id, { choice: 'resume', ...word }, core)
  })
  core.wakeAt(core.clock.now())
}

export const isWaiting = ({ phase }: Pick<Task, 'phase'>) => phase === 'parked' || phase === 'backing_off'

const letThrough = ({ id }: Task, gate: Gate, by: string, core: Core) => {
  const at = core.clock.now()
  return core.store.record({
    gate: { ...gate, canary: id },
    audit: { at, kind: 'gate_passed', taskId: id, actor: by, detail: gate.reason },
  })
}

/** Every gate is opened, and every parked task goes on. */
export async function unparkAll(by: string, core: Core): Promise<Unparked> {
  const unparked = await core.alone('waking', async () => {
    const gates = await core.store.gates()
    for (const { key, reason } of gates) {
      const audit = { at: core.clock.now(), kind: 'gate_opened', taskId: null, actor: by, detail: reason }
      await core.store.record({ openGate: key, audit })
    }
    const parked = (await core.store.waiting()).filter(({ phase }) => phase === 'parked')
    for (const { id } of parked) await personDecides(id, { choice: 'resume', by }, core)
    return { opened: gates.map(({ key }) => key), tasks: parked.map(({ id }) => id) }
  })
  await core.scheduleSoon()
  core.wakeAt(core.clock.now())
  return unparked
}
