// Owns keeping a task's files (state.json, session.log) up to date with the store.

import type { EventKind } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Committed } from '../../ports/store/commits.ts'
import type { JournalListener } from '../kernel/journal.ts'

const PAUSE_MS = 200
/** Deferred files are written within this time, even while tasks are being started. */
const LONGEST_WAIT_MS = 10_000

/** The task goes on soon, so its files, which say that it runs, stay true. They are written a moment later, once for several changes. */
const DEFERRED: ReadonlySet<EventKind> = new Set(['task_requeued', 'task_backed_off'])
/** While a write of the task's files is deferred, its start need not be written at once either. */
const STARTS: ReadonlySet<EventKind> = new Set(['task_launched', 'task_agent_started'])
/** The task is tidied up next, and with that its files are written for the last time. */
const ENDS: ReadonlySet<EventKind> = new Set(['task_completed', 'task_failed', 'task_cancelled'])
/** Files that are written by others: by the task's creation, or when an ended task is tidied up. The files of a removed task are gone. */
const LEFT_TO_OTHERS: ReadonlySet<EventKind> = new Set([
  ...ENDS,
  'task_created',
  'task_archived',
  'task_removed',
])

type Needs = {
  readonly clock: Pick<Clock, 'after' | 'monotonic'>
  /** Tasks are being started: most tasks with deferred files are about to change again. */
  readonly isBusy: () => boolean
  /** Writes the files under the task's lock, if that is still wanted when it has the lock. Never rejects. */
  readonly write: (id: TaskId, isWanted: () => boolean) => Promise<void>
}

export class TaskFiles implements JournalListener {
  readonly name = 'task files'
  readonly #needs: Needs
  /** Tasks with deferred files, and the monotonic ms by which these have to be written. */
  readonly #deferred = new Map<TaskId, number>()
  readonly #writing = new Map<TaskId, Promise<void>>()
  /** Tasks that ended while a write of their files waited for its turn. */
  readonly #ended = new Set<TaskId>()
  #cancel: (() => void) | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  hear({ events }: Committed): void {
    for (const { kind, taskId } of events) {
      if (taskId === null) continue
      if (ENDS.has(kind)) this.#leave(taskId)
      else if (isShown(kind)) this.#follow(taskId, kind)
    }
  }

  /** Resolves when the task's files show at least what was stored at the time of the call. */
  async whenWritten(id: TaskId): Promise<void> {
    if (this.#deferred.delete(id)) this.#writeNow(id)
    await this.#writing.get(id)
  }

  /** Somebody else writes the task's files now: a deferred write is no longer needed. */
  dropDeferred(id: TaskId): void {
    this.#deferred.delete(id)
  }

  /** Writes all deferred files, and waits until they are written. */
  async flush(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    await Promise.all([...this.#deferred.keys()].map((id) => this.whenWritten(id)))
  }

  /** A write that came after the last one would say nothing new, and a crash in it would leave half a file for good. */
  #leave(id: TaskId): void {
    this.#deferred.delete(id)
    if (this.#writing.has(id)) this.#ended.add(id)
  }

  #follow(id: TaskId, kind: EventKind): void {
    this.#ended.delete(id)
    if (DEFERRED.has(kind)) this.#defer(id)
    else if (!(STARTS.has(kind) && this.#deferred.has(id))) {
      this.#deferred.delete(id)
      this.#writeNow(id)
    }
  }

  /** Waits for a write of the same task that is under way, so that the files show the newer state in the end. */
  #writeNow(id: TaskId): void {
    const before = this.#writing.get(id)
    const write = () => this.#needs.write(id, () => !this.#ended.has(id))
    const written = before === undefined ? write() : before.then(write)
    this.#writing.set(id, written)
    void written.then(() => {
      if (this.#writing.get(id) !== written) return
      this.#writing.delete(id)
      this.#ended.delete(id)
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

  /** Writes one task's files after the other: there may be hundreds, and none is urgent. */
  async #writeDue(): Promise<void> {
    const now = this.#needs.clock.monotonic()
    const due = [...this.#deferred].filter(([, latest]) => !this.#needs.isBusy() || latest <= now)
    for (const [id] of due) if (this.#deferred.has(id)) await this.whenWritten(id)
  }
}

const isShown = (kind: EventKind) =>
  (kind.startsWith('task_') || kind === 'hook_violation') && !LEFT_TO_OTHERS.has(kind)
