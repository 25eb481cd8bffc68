// Owns what people see of gates and of the tasks that wait, and opening gates when a person asks for it.
import type { TaskId } from '../../../domain/names/ids.ts'
import type { TimedTask } from '../../../domain/task/task.ts'
import type { Gate, GateReads } from '../../../ports/store/gates.ts'
import type { Queue } from '../../../ports/store/queue.ts'
import type { Reads } from '../../../ports/store/store.ts'
import { openGates, parkedTasks } from '../../orders/unpark.ts'
import { membersOf } from '../../recovering/due-tasks.ts'
import type { Core } from '../../task/core.ts'

/** So many queued tasks are looked at to find those behind a gate. */
const MOST_QUEUED = 1000

/** A closed gate, and the tasks that wait behind it. */
export type GateSeen = { readonly gate: Gate; readonly waiting: readonly TaskId[] }

export type Parks = {
  readonly gates: readonly GateSeen[]
  /** Parked tasks that wait behind none of these gates. */
  readonly alone: readonly TimedTask[]
}

export const gatesDesk = (core: Pick<Core, 'withLock' | 'clock' | 'commit'> & Reads<GateReads & Queue>) => ({
  look: (): Promise<Parks> => lookAtParks(core),
  /** Resolves with the keys of the gates that were opened. */
  openAll: (by: string): Promise<string[]> => openGates(by, core),
  parkedTasks: (): Promise<TaskId[]> => parkedTasks(core),
})

async function lookAtParks({ store }: Reads<GateReads & Queue>): Promise<Parks> {
  const gates = await store.gates()
  const waiting = await store.waiting()
  const queued =
    gates.length === 0 ? [] : [...(await store.queue(MOST_QUEUED)), ...(await store.queuedRuntimes())]
  const keys = new Set(gates.map(({ key }) => key))
  const behind = (gate: Gate) => membersOf(gate, { waiting, queued }).map(({ id }) => id)
  return {
    gates: gates.map((gate) => ({ gate, waiting: behind(gate) })).filter(isInUse),
    alone: waiting.filter((task) => task.phase === 'parked' && !keys.has(task.gate ?? '')),
  }
}

/** A gate that no task waits behind or tries is not shown: the next look at the waiting tasks opens it. */
const isInUse = ({ gate, waiting }: GateSeen) => waiting.length > 0 || gate.canary !== null
