// Owns waiting for tasks: one question that is answered as soon as one of them needs somebody, or all are done.
import { Hono } from 'hono'
import { HoldfastError } from '../../domain/errors.ts'
import { checkName } from '../../domain/names/names.ts'
import { isTimeToAnswer } from '../../domain/task/final-state.ts'
import { untilOf } from '../../domain/task/state.ts'
import type { MonitorAskJson, MonitorLookJson } from '../../protocol/monitor-json.ts'
import type { Core } from '../../supervisor/task/core.ts'
import type { ServerContext } from '../context.ts'
import { body, monitorSchema } from '../requests/schemas.ts'
import { inTurns } from '../streams/in-turns.ts'
import { Rests } from '../streams/rests.ts'
import { Rings } from '../streams/rings.ts'
import { monitoredJson, unacknowledged } from '../views/monitor.ts'
import { type Standing, stand, wholeId } from '../views/standing.ts'

/** News are a hint; this is how long a missed one can delay an answer. */
const LOOK_AGAIN_MS = 1000

export function monitorRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const rests = new Rests(core, context.stopping)
  const routes = new Hono()

  routes.post('/', async (c) => {
    const asked = await body(c, monitorSchema)
    const name = asked.cursor === undefined ? null : `monitor/${checkName('Cursor', asked.cursor)}`
    if (asked.ack !== undefined) await acknowledge(name, asked.ack, core)
    const standings = await untilNews(asked, asked.until === 'ended' ? null : rests, context)
    // After the look: what made a task stand as it does is among the events.
    const told = name === null ? { cursor: null, events: [] } : await unacknowledged(name, standings, core)
    const look: MonitorLookJson = {
      over: isOver(standings, asked),
      seen: seenAs(standings),
      tasks: await inTurns(standings, (one) => monitoredJson(one, core)),
      ...told,
    }
    return c.json(look)
  })

  return routes
}

async function acknowledge(name: string | null, seq: number, { store, clock }: Core): Promise<void> {
  if (name === null) throw new HoldfastError('INVALID_REQUEST', "'ack' needs a cursor.")
  // A number that was never told would hide what is still to come.
  if (seq > (await store.lastSeq()))
    throw new HoldfastError(
      'INVALID_REQUEST',
      `'ack' must be the 'cursor' of an earlier answer: there is no event ${seq} yet.`,
    )
  await store.moveCursor(name, seq, clock.now())
}

/** Looks at a task whenever there is news of it, and at all of them now and then. */
async function untilNews(
  asked: MonitorAskJson,
  rests: Rests | null,
  context: ServerContext,
): Promise<Standing[]> {
  const { core } = context.supervisor
  const until = core.clock.monotonic() + asked.wait_seconds * 1000
  const ids = await inTurns(asked.ids, (id) => wholeId(id, core))
  const rings = new Rings(ids, core)
  try {
    let standings = await inTurns(ids, (id) => stand(id, rests, asked.seen === undefined, core))
    for (;;) {
      const left = until - core.clock.monotonic()
      if (left <= 0 || context.stopping.aborted || isNews(standings, asked)) return standings
      const rung = await rings.next(Math.min(left, LOOK_AGAIN_MS), core, context.stopping)
      const changed = new Set(rung.length === 0 ? ids : rung)
      standings = await inTurns(standings, async (one) =>
        changed.has(one.id) ? await stand(one.id, rests, false, core) : one,
      )
    }
  } finally {
    rings.close()
  }
}

const isNews = (standings: readonly Standing[], asked: MonitorAskJson) =>
  isOver(standings, asked) || asked.seen !== seenAs(standings)

const isOver = (standings: readonly Standing[], { any = false }: MonitorAskJson) =>
  isTimeToAnswer(
    standings.map(({ final }) => final?.state ?? null),
    any,
  )

/** Says nothing to who reads it, but differs when a task does something else, or waits for something else. */
const seenAs = (standings: readonly Standing[]) =>
  standings
    .map(({ task, gate, isChecked }) =>
      [task?.status, task?.phase, task && untilOf(task), gate?.until, gate?.canary, isChecked].join(' '),
    )
    .join(',')
