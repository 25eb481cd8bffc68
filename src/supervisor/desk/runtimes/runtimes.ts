// Owns runtimes on behalf of others: starting, seeing, stopping and removing them.
import { HoldfastError } from '../../../domain/errors.ts'
import type { Runtime, RuntimeTransition } from '../../../domain/runtime/runtime.ts'
import type { Config } from '../../../domain/settings/config.ts'
import { termsOf } from '../../../domain/settings/task-terms.ts'
import type { Elsewhere } from '../../../domain/task/elsewhere.ts'
import type { Trigger } from '../../../domain/task/input.ts'
import type { Task } from '../../../domain/task/task.ts'
import { durationText } from '../../../domain/text/duration.ts'
import { removeRuntime, restartRuntime, stopRuntime } from '../../runtimes/end-runtime.ts'
import { type Started, type StartRequest, startRuntime } from '../../runtimes/start-runtime.ts'
import { elsewhereAmong } from '../../task/elsewhere.ts'
import { existingTask } from '../../task/existing-task.ts'
import { findRuntime } from '../../task/find-runtime.ts'
import { briefOf } from '../look/look.ts'
import type { Waits } from '../look/waits.ts'
import type { DeskNeeds } from '../needs.ts'
import { until } from '../wait/waiting.ts'

/** `task`: null when it is gone, which the next look puts right. */
export type RuntimeSeen = {
  readonly runtime: Runtime
  readonly task: Task | null
  readonly waits: Waits
  /** Null of one of this daemon. */
  readonly elsewhere: Elsewhere | null
  /** What a person is asked about it; null when nobody is. */
  readonly question: string | null
}

const MOST_TRANSITIONS = 50
/** The row follows what happened within a moment. */
const SEEN_WITHIN_MS = 5000

export const runtimesDesk = (core: DeskNeeds) => ({
  /** By its id, `<role>@<workspace>`, its place in tmux, or a role that one workspace alone has. */
  find: (text: string): Promise<Runtime> => findRuntime(text, core.store),

  /** Those of all daemons on this store: prompts reach them from here, too. */
  list: async (): Promise<RuntimeSeen[]> => seenOf(await core.store.allRuntimes(), core),

  async see(id: Runtime['id']): Promise<RuntimeSeen> {
    const [seen] = await seenOf([await existing(id, core)], core)
    if (seen === undefined) throw notFound(id)
    return seen
  },

  /** The latest moves, oldest first. */
  story: (id: Runtime['id']): Promise<RuntimeTransition[]> =>
    core.store.runtimeTransitions(id, MOST_TRANSITIONS),

  start: (request: StartRequest, config: Config): Promise<Started> => startRuntime(request, config, core),

  /** False when it was stopped before. Resolves when its processes are gone, and its row says so. */
  async stop(runtime: Runtime, by: string): Promise<boolean> {
    const acted = await stopRuntime(runtime, by, core)
    const isOffline = async () => (await existing(runtime.id, core)).state === 'offline'
    await until(runtime.taskId, isOffline, SEEN_WITHIN_MS, core)
    return acted
  },

  /** Resolves when its run is over, and its row says no more what became of that; `whenReady` waits for the next one. */
  async restart(runtime: Runtime, by: string): Promise<void> {
    const { taskId } = runtime
    const before = core.watched.get(taskId)?.run.id
    await restartRuntime(runtime, by, core)
    const hasMoved = async () => {
      const { state, stateSince } = await existing(runtime.id, core)
      const isRowNew = state !== runtime.state || stateSince !== runtime.stateSince
      return isRowNew && core.watched.get(taskId)?.run.id !== before
    }
    await until(
      taskId,
      hasMoved,
      (await existingTask(taskId, core)).snapshot.killGraceMs + SEEN_WITHIN_MS,
      core,
    )
  },

  /** Returns the prompts that never reached it, oldest first. */
  remove: (runtime: Runtime, by: string): Promise<Trigger[]> => removeRuntime(runtime, by, core),

  /** Resolves when it waits for prompts. RUNTIME_NOT_READY when it fails, asks a person, or takes too long. */
  async whenReady({ id, taskId }: Runtime): Promise<void> {
    const patienceMs = termsOf(await existingTask(taskId, core), core).startTimeoutMs
    await until(taskId, async () => (await whyNotYet(id, core)) !== 'starting', patienceMs, core)
    const why = await whyNotYet(id, core)
    if (why === null) return
    const { agentId } = await existing(id, core)
    const words = why === 'starting' ? `its agent shows no prompt after ${durationText(patienceMs)}` : why
    throw new HoldfastError('RUNTIME_NOT_READY', `Runtime ${agentId} is not ready: ${words}.`)
  },
})

/** Null when it is ready; `starting` while that may still come; else why it does not. */
async function whyNotYet(id: Runtime['id'], core: DeskNeeds): Promise<string | null> {
  const { state, taskId, reason } = await existing(id, core)
  if (state === 'ready') return null
  if (state === 'failed') return reason
  const task = await existingTask(taskId, core)
  return task.status === 'waiting_input' ? (task.reason ?? 'it asks something') : 'starting'
}

async function seenOf(runtimes: readonly Runtime[], core: DeskNeeds): Promise<RuntimeSeen[]> {
  const gates = await core.store.gates()
  const elsewhere = await elsewhereAmong(runtimes, core)
  return await Promise.all(
    runtimes.map(async (runtime) => {
      const task = (await core.store.task(runtime.taskId)) ?? null
      const waits = task === null ? NOTHING : briefOf(task, gates, core).waits
      const [question] = task?.status === 'waiting_input' ? await core.store.openQuestions(task.id) : []
      return { runtime, task, waits, question: question?.text ?? null, elsewhere: elsewhere(runtime) }
    }),
  )
}

const NOTHING: Waits = { for: null, until: null }

async function existing(id: Runtime['id'], { store }: Pick<DeskNeeds, 'store'>): Promise<Runtime> {
  const runtime = await store.runtime(id)
  if (runtime === undefined) throw notFound(id)
  return runtime
}

const notFound = (id: Runtime['id']) => new HoldfastError('RUNTIME_NOT_FOUND', `Runtime not found: ${id}`)
