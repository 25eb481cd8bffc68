// Owns that a task's files (state.json, session.log) follow what is stored.

import type { EventKind } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Committed } from '../../ports/store-changes.ts'
import type { JournalListener } from '../kernel/journal.ts'

const PAUSE_MS = 200
const LONGEST_WAIT_MS = 10_000

/** It goes on soon: its files say that it runs, which stays true. They follow a moment later, once for several moves. */
const DEFERRED: ReadonlySet<EventKind> = new Set(['task_requeued', 'task_backed_off'])
/** Of one whose files are behind, a start need not be shown at once either. */
const STARTS: ReadonlySet<EventKind> = new Set(['task_launched', 'task_agent_started'])
/** The last files of an ended task are written where it is tidied up; those of a removed one are gone. */
const LEFT_TO_OTHERS: ReadonlySet<EventKind> = new Set([
  'task_created',
  'task_completed',
  'task_failed',
  'task_cancelled',
  'task_archived',
  'task_removed',
])

type Needs = {
  readonly clock: Pick<Clock, 'after' | 'monotonic'>
  /** Tasks are being started: most of those that wait here are about to change again. */
  readonly isBusy: () => boolean
  /** In the task's turn. Never rejects. */
  readonly write: (id: TaskId) => Promise<void>
}

export class TaskFiles implements JournalListener {
  readonly name = 'task files'
  readonly #needs: Needs
  /** With the monotonic time by which they have to be written. */
  readonly #deferred = new Map<TaskId, number>()
  readonly #writing = new Map<TaskId, Promise<void>>()
  #cancel: (() => void) | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  hear({ events }: Committed): void {
    for (const { kind, taskId } of events) if (taskId !== null && isShown(kind)) this.#follow(taskId, kind)
  }

  /** Resolves when the task's files are as the store was at the time of the call. */
  async whenWritten(id: TaskId): Promise<void> {
    if (this.#deferred.delete(id)) this.#writeNow(id)
    await this.#writing.get(id)
  }

  /** Somebody writes them now. */
  isWritten(id: TaskId): void {
    this.#deferred.delete(id)
  }

  /** Writes all that are behind, and waits for it. */
  async flush(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    await Promise.all([...this.#deferred.keys()].map((id) => this.whenWritten(id)))
  }

  #follow(id: TaskId, kind: EventKind): void {
    if (DEFERRED.has(kind)) this.#defer(id)
    else if (!(STARTS.has(kind) && this.#deferred.has(id))) {
      this.#deferred.delete(id)
      this.#writeNow(id)
    }
  }

  /** The next write begins after this one, and shows what was stored meanwhile, too. */
  #writeNow(id: TaskId): void {
    const before = this.#writing.get(id)
    const written = before === undefined ? this.#needs.write(id) : before.then(() => this.#needs.write(id))
    this.#writing.set(id, written)
    void written.then(() => {
      if (this.#writing.get(id) === written) this.#writing.delete(id)
    })
  }

  #defer(id: TaskId): void {
    if (!this.#deferred.has(id)) this.#deferred.set(id, this.#needs.clock.monotonic() + LONGEST_WAIT_MS)
    this.#arm()
  }

  #arm(): void {
    if (this.#cancel !== undefined || this.#deferred.size === 0) return
    this.#cancel = this.#needs.clock.after(PAUSE_MS, () => {
      this.#cancel = undefined
      void this.#writeDue().then(() => this.#arm())
    })
  }

  /** One after the other: there may be hundreds, and none of them is urgent. */
  async #writeDue(): Promise<void> {
    const now = this.#needs.clock.monotonic()
    const due = [...this.#deferred].filter(([, latest]) => !this.#needs.isBusy() || latest <= now)
    for (const [id] of due) if (this.#deferred.has(id)) await this.whenWritten(id)
  }
}

const isShown = (kind: EventKind) =>
  (kind.startsWith('task_') || kind === 'hook_violation') && !LEFT_TO_OTHERS.has(kind)
