// Owns that parents are woken: whenever there is news of a child, or a parent can be told again, it is looked at what it was
// not told yet. Nothing is remembered here: all of it is in the store, so a new daemon goes on where the last one died.
import { messageOf } from '../../domain/errors.ts'
import type { EventKind } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { Final } from '../../domain/task/final-state.ts'
import { parentWake } from '../../domain/task/parent-wake.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { OutboxRow } from '../../ports/store/outbox.ts'
import type { Desk, JournalListener } from '../../supervisor/desk.ts'
import { wakeText } from './wake-text.ts'

/** There is something to tell, or somebody can be told again. */
const LOOKS: ReadonlySet<EventKind> = new Set([
  'child_news',
  'task_reopened',
  'task_waiting_began',
  'trigger_submitted',
  'trigger_acknowledged',
  'trigger_unconfirmed',
  'trigger_done',
  'trigger_failed',
])
/** After an error, such as a locked store. */
const AGAIN_MS = 1000

type Needs = {
  readonly desk: Pick<Desk, 'outbox' | 'monitor'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly log: Pick<Log, 'error'>
}

export class ParentWaker implements JournalListener {
  readonly name = 'waking parents'
  readonly #needs: Needs
  /** Parents that are being looked at; true when there was news meanwhile. */
  readonly #looking = new Map<TaskId, boolean>()
  readonly #timers = new Map<TaskId, () => void>()
  #isStopped = false

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Looks at all that was left over by an earlier daemon. */
  async start(): Promise<void> {
    for (const id of await this.#needs.desk.outbox.parents()) this.#look(id)
  }

  stop(): void {
    this.#isStopped = true
    for (const cancel of this.#timers.values()) cancel()
  }

  hear({ events }: Parameters<JournalListener['hear']>[0]): void {
    for (const { kind, taskId } of events) if (taskId !== null && LOOKS.has(kind)) this.#look(taskId)
  }

  #look(id: TaskId): void {
    if (this.#isStopped) return
    if (this.#looking.has(id)) {
      this.#looking.set(id, true)
      return
    }
    this.#looking.set(id, false)
    void this.#lookOnce(id).finally(() => {
      const again = this.#looking.get(id)
      this.#looking.delete(id)
      if (again === true) this.#look(id)
    })
  }

  async #lookOnce(id: TaskId): Promise<void> {
    try {
      const at = await wakeIfDue(id, this.#needs)
      if (at !== null) this.#lookAt(id, at)
    } catch (error) {
      if (this.#isStopped) return
      this.#needs.log.error(`waking ${id} failed`, { error: messageOf(error) })
      this.#lookAt(id, this.#needs.clock.now() + AGAIN_MS)
    }
  }

  #lookAt(id: TaskId, at: number): void {
    const { clock } = this.#needs
    this.#timers.get(id)?.()
    if (this.#isStopped) return
    const cancel = clock.after(Math.max(0, at - clock.now()), () => {
      this.#timers.delete(id)
      this.#look(id)
    })
    this.#timers.set(id, cancel)
  }
}

/** Epoch ms when to look again; null when nothing is due at a time. */
async function wakeIfDue(id: TaskId, { desk, clock }: Needs): Promise<number | null> {
  const rows = await desk.outbox.unboundFor(id)
  if (rows.length === 0) return null
  const { quietMs } = desk.outbox
  const wake = parentWake(rows, await desk.outbox.parentState(id), { quietMs, now: clock.now() })
  if (wake.kind === 'at') return wake.at
  if (wake.kind === 'now')
    await desk.outbox.wake(id, { rows, text: wakeText(rows, await finalsOf(rows, desk)) })
  return null
}

/** How the children stand now; without those that are gone, or that go on by themselves. */
async function finalsOf(
  rows: readonly OutboxRow[],
  { monitor }: Pick<Desk, 'monitor'>,
): Promise<ReadonlyMap<TaskId, Final>> {
  const ids = [...new Set(rows.map(({ childId }) => childId))]
  const ask = { ids, any: false, until: 'ended', seen: undefined, waitMs: 0, cursor: null } as const
  const { tasks } = await monitor.look(ask)
  return new Map(
    tasks.flatMap(({ task, final }) => (task === undefined || final === null ? [] : [[task.id, final]])),
  )
}
