// Owns waiting for several tasks: until one of them needs a person, all are done, or one of them changes.
import { isTimeToAnswer } from '../../../domain/task/final-state.ts'
import { waitsUntil } from '../../../domain/task/state.ts'
import { inBatches } from '../../kernel/in-batches.ts'
import type { DeskNeeds } from '../needs.ts'
import { type Awaited, awaitedOf, lookAtTask, type TaskLook, wholeId } from './look-at-task.ts'
import { NewsOfTasks } from './news-of-tasks.ts'
import { RestChecks } from './rest-checks.ts'
import { type Unacknowledged, unacknowledged } from './unacknowledged.ts'

/** All tasks are looked at so often at least: news may be missed, and this is how long that can delay an answer. */
const LOOK_AGAIN_MS = 1000

export type MonitorAsk = {
  readonly ids: readonly string[]
  /** True: it is over when one of the tasks is done. False: when all are. */
  readonly any: boolean
  /** `rest`: a session also counts as done when its turn is over and nothing is left to be said. */
  readonly until: 'ended' | 'rest'
  /** The `seen` that the caller's last look returned; undefined for its first look. */
  readonly seen: string | undefined
  /** How long this look may wait for news. */
  readonly waitMs: number
  /** The cursor whose unacknowledged events are returned; null for no events. */
  readonly cursor: string | null
}

export type MonitorLook = {
  readonly isOver: boolean
  /** For the caller's next look. */
  readonly seen: string
  readonly tasks: readonly Awaited[]
  readonly unacknowledged: Unacknowledged | null
}

/** `stopping`: once it is aborted, nobody waits and nothing is verified any more. */
export function monitorDesk(core: DeskNeeds, stopping: AbortSignal) {
  const restChecks = new RestChecks(core, stopping)
  return {
    async look(ask: MonitorAsk): Promise<MonitorLook> {
      const looks = await untilNews(ask, ask.until === 'ended' ? null : restChecks, core, stopping)
      const ids = looks.flatMap(({ task }) => task?.id ?? [])
      // Read after the look, so that the events include whatever brought a task into the state that was seen.
      const told = ask.cursor === null ? null : await unacknowledged(ask.cursor, ids, core)
      return {
        isOver: isOver(looks, ask),
        seen: seenAs(looks),
        tasks: await inBatches(looks, (one) => awaitedOf(one, core)),
        unacknowledged: told,
      }
    },
  }
}

/** Looks at a task whenever there is news of it, and at all tasks every LOOK_AGAIN_MS without news. */
async function untilNews(
  ask: MonitorAsk,
  restChecks: RestChecks | null,
  core: DeskNeeds,
  stopping: AbortSignal,
): Promise<TaskLook[]> {
  const until = core.clock.monotonic() + ask.waitMs
  const ids = await inBatches(ask.ids, (id) => wholeId(id, core))
  const news = new NewsOfTasks(ids, core)
  try {
    let looks = await inBatches(ids, (id) => lookAtTask(id, restChecks, ask.seen === undefined, core))
    for (;;) {
      const left = until - core.clock.monotonic()
      if (left <= 0 || stopping.aborted || isNews(looks, ask)) return looks
      const withNews = await news.next(Math.min(left, LOOK_AGAIN_MS), stopping)
      const changed = new Set(withNews.length === 0 ? ids : withNews)
      looks = await inBatches(looks, async (one) =>
        changed.has(one.id) ? await lookAtTask(one.id, restChecks, false, core) : one,
      )
    }
  } finally {
    news.close()
  }
}

const isNews = (looks: readonly TaskLook[], ask: MonitorAsk) =>
  isOver(looks, ask) || ask.seen !== seenAs(looks)

const isOver = (looks: readonly TaskLook[], { any }: MonitorAsk) =>
  isTimeToAnswer(
    looks.map(({ final }) => final?.state ?? null),
    any,
  )

/** An opaque text for the caller. It changes when a task does, or waits for, something else. */
const seenAs = (looks: readonly TaskLook[]) =>
  looks
    .map(({ task, gate, isChecked }) =>
      [task?.status, task?.phase, task && waitsUntil(task), gate?.until, gate?.canary, isChecked].join(' '),
    )
    .join(',')
