// Owns what is known of a person who typed in the terminal of a runtime, on behalf of others.
import type { RunId } from '../../../domain/names/ids.ts'
import { agentIdOf, readAgentId } from '../../../domain/runtime/names.ts'
import { operatorVisit } from '../../../domain/runtime/operator-visit.ts'
import type { Runtime } from '../../../domain/runtime/runtime.ts'
import { isEnded } from '../../../domain/task/machine.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { DeskNeeds } from '../needs.ts'

export type Intervention = {
  readonly runtime: Runtime
  readonly task: Task
  /** Epoch ms. */
  readonly from: number
  readonly until: number
  /** Everybody who was seen typing: user, terminal, and since when it is attached. */
  readonly who: readonly string[]
  /** What they said, oldest first, as far as it was seen; without secrets. */
  readonly said: readonly string[]
}

/** More than anybody says in one go. */
const MOST_ROWS = 200

export const operatorsDesk = (core: DeskNeeds) => {
  const { store } = core
  const orchestratorOf = (runtime: Runtime) => findOrchestrator(runtime, core)
  return {
    /** The one that ended at this time. Undefined when the runtime is gone. */
    async intervention(taskId: Task['id'], until: number): Promise<Intervention | undefined> {
      const [runtime, task] = [await store.runtimeOfTask(taskId), await store.task(taskId)]
      if (runtime === undefined || task === undefined) return undefined
      const rows = (await store.audits({ taskId, limit: MOST_ROWS })).filter(({ at }) => at <= until)
      const { from, who, said } = operatorVisit(rows)
      return { runtime, task, from: from ?? until, until, who, said }
    },

    orchestratorOf,

    /** Whether this run is the orchestrator's, and the task another runtime of its workspace. */
    async coordinates(run: RunId, { id }: Task): Promise<boolean> {
      const runtime = await store.runtimeOfTask(id)
      const orchestrator = runtime && (await orchestratorOf(runtime))
      const task = orchestrator && (await store.task(orchestrator.taskId))
      return task !== undefined && task.runId === run
    },
  }
}

/** The runtime that coordinates the others of this one's workspace. Undefined when none runs, or when it is this one. */
async function findOrchestrator(
  { agentId }: Runtime,
  { store, config }: DeskNeeds,
): Promise<Runtime | undefined> {
  const role = config['orchestrator.role']
  const named = readAgentId(agentId)
  if (role === null || named === undefined || named.role === role) return undefined
  const found = await store.runtimeNamed(agentIdOf(role, named.slug))
  const task = found && (await store.task(found.taskId))
  const isUp = found?.wanted === 'up' && task !== undefined && !isEnded(task.status)
  return isUp ? found : undefined
}
