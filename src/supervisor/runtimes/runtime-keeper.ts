// Owns when runtimes are compared with what is there: at every tick, and as soon as the task of one has moved. Their
// triggers are followed as they go.
import { messageOf } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { triggerEventIn } from '../../domain/runtime/by-trigger.ts'
import type { Runtime } from '../../domain/runtime/runtime.ts'
import type { TriggerEvent } from '../../domain/trigger/machine.ts'
import type { Committed } from '../../ports/store/commits.ts'
import type { JournalListener } from '../kernel/journal.ts'
import { followTrigger } from './follow-trigger.ts'
import { hurryRuntime } from './hurry-runtime.ts'
import type { RuntimesNeeds } from './needs.ts'
import { reconcileRuntime } from './reconcile-runtime.ts'

export class RuntimeKeeper implements JournalListener {
  readonly name = 'runtimes'
  readonly #core: RuntimesNeeds
  readonly #tasks = new Set<TaskId>()
  #isDue = false
  /** Some may be left: of a runtime that was removed, or of a daemon that died then. */
  #mayLeaveSessions = true

  constructor(core: RuntimesNeeds) {
    this.#core = core
  }

  hear({ events }: Committed): void {
    for (const { kind, taskId, data } of events) {
      if (taskId === null) continue
      if (kind === 'runtime_registered') this.#registered(taskId, data)
      else if (kind === 'runtime_removed') this.#removed(taskId)
      if (!this.#tasks.has(taskId)) continue
      if (kind.startsWith('task_')) this.reconcileSoon()
      else if (kind === 'input_queued') void this.#hurry(taskId)
      const trigger = triggerEventIn(kind)
      if (trigger !== undefined && 'trigger_id' in data)
        void this.#followTrigger(taskId, trigger, String(data.trigger_id))
    }
  }

  #followTrigger(id: TaskId, event: TriggerEvent, triggerId: string): Promise<void> {
    const follow = () => followTrigger(id, event, triggerId, this.#core)
    return this.#core.withLock('runtimes', follow).catch((error) => this.#log(id, error))
  }

  #registered(taskId: TaskId, data: object): void {
    this.#tasks.add(taskId)
    this.#core.log.info('runtime_registered', { ...data, task: taskId })
  }

  #removed(taskId: TaskId): void {
    this.#tasks.delete(taskId)
    this.#mayLeaveSessions = true
    this.reconcileSoon()
  }

  /** One look for all that asked before it began. */
  reconcileSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    void this.reconcile()
  }

  reconcile(): Promise<void> {
    return this.#core.withLock('runtimes', async () => {
      this.#isDue = false
      await this.#reconcileAll().catch((error) => this.#log('runtimes', error))
    })
  }

  async #reconcileAll(): Promise<void> {
    const { store, terminal } = this.#core
    const runtimes = await store.runtimes()
    for (const { taskId } of runtimes) this.#tasks.add(taskId)
    await this.#closeSessions(runtimes)
    if (runtimes.length === 0) return
    const panes = terminal.health() === 'up' ? await terminal.panes().catch(() => undefined) : undefined
    for (const runtime of runtimes)
      await reconcileRuntime(runtime, panes, this.#core).catch((error) => this.#log(runtime.agentId, error))
  }

  /** The session of a workspace goes with its last runtime. One that a person uses goes when they have left it. */
  async #closeSessions(runtimes: readonly Runtime[]): Promise<void> {
    const { terminal } = this.#core
    if (!this.#mayLeaveSessions || terminal.health() !== 'up') return
    const used = new Set(runtimes.map(({ tmuxSession }) => tmuxSession))
    this.#mayLeaveSessions = (await terminal.closeEmptySessions(used)) > 0
  }

  #hurry = (id: TaskId) => hurryRuntime(id, this.#core).catch((error) => this.#log(id, error))

  #log(what: string, error: unknown): void {
    this.#core.log.error(`comparing ${what} with what is there failed`, { error: messageOf(error) })
  }
}
