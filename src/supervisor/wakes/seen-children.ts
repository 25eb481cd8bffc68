// Owns what a parent has seen of its children by itself, because it waited for them: it is not told of that again.
import { tryCommit } from '../../changes/try-commit.ts'
import type { RunId, TaskId } from '../../domain/names/ids.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import type { OutboxReads, OutboxRow } from '../../ports/store/outbox.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import { taskAtWorkIn } from '../starting/parent-task.ts'
import type { Core } from '../task/core.ts'

type Needs = Pick<Core, 'commit'> & Reads<OutboxReads & RunReads & TaskReads>

export class SeenChildren {
  readonly #needs: Needs
  /** Children whose end their parent has seen a moment before the row about it was written. */
  readonly #ended = new Map<TaskId, Set<TaskId>>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** `tasks`: what this run was just told of. Those that it did not start do not matter. */
  async note(run: RunId, tasks: readonly Task[]): Promise<void> {
    const parent = await taskAtWorkIn(run, this.#needs)
    const own = tasks.filter(({ parentId }) => parent !== undefined && parentId === parent.id)
    if (parent === undefined || own.length === 0) return
    const rows = await this.untold(parent.id)
    const seen = rows.filter(({ childId }) => own.some(({ id }) => id === childId))
    await this.#bind(parent.id, seen)
    for (const { id, status } of own)
      if (isEnded(status) && !seen.some(({ childId }) => childId === id)) this.#endedOf(parent.id).add(id)
  }

  /** What the parent is still to be told. */
  async untold(parentId: TaskId): Promise<OutboxRow[]> {
    const rows = await this.#needs.store.unboundFor(parentId)
    const seen = rows.filter(({ childId }) => this.#ended.get(parentId)?.has(childId))
    if (seen.length === 0) return rows
    await this.#bind(parentId, seen)
    for (const { childId } of seen) this.#ended.get(parentId)?.delete(childId)
    return rows.filter((row) => !seen.includes(row))
  }

  async #bind(parentId: TaskId, rows: readonly OutboxRow[]): Promise<void> {
    if (rows.length > 0) await tryCommit({ bindOutbox: { parentId, rows } }, this.#needs)
  }

  #endedOf(parentId: TaskId): Set<TaskId> {
    const known = this.#ended.get(parentId) ?? new Set()
    this.#ended.set(parentId, known)
    return known
  }
}
