// Owns waiting for tasks: one question that is answered as soon as one of them needs somebody, or all are done.
import { Hono } from 'hono'
import { HoldfastError } from '../domain/errors.ts'
import { isTimeToAnswer } from '../domain/final-state.ts'
import { checkName } from '../domain/names.ts'
import type { MonitorAskJson, MonitorLookJson } from '../protocol/monitor-json.ts'
import type { Core } from '../supervisor/core.ts'
import type { ServerContext } from './context.ts'
import { monitoredJson, unacknowledged } from './monitor-views.ts'
import { Rings } from './rings.ts'
import { body, monitorSchema } from './schemas.ts'
import { type Standing, stand, wholeId } from './standing.ts'

/** The bell is a hint; this is how long a missed one can delay an answer. */
const LOOK_AGAIN_MS = 1000

export function monitorRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const routes = new Hono()

  routes.post('/', async (c) => {
    const asked = await body(c, monitorSchema)
    const name = asked.cursor === undefined ? null : `monitor/${checkName('Cursor', asked.cursor)}`
    if (asked.ack !== undefined) await acknowledge(name, asked.ack, core)
    const standings = await untilNews(asked, context)
    // After the look: what made a task stand as it does is among the events.
    const told = name === null ? { cursor: null, events: [] } : await unacknowledged(name, standings, core)
    const look: MonitorLookJson = {
      over: isOver(standings, asked),
      seen: seenAs(standings),
      tasks: await Promise.all(standings.map((one) => monitoredJson(one, core))),
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
    throw new HoldfastError('INVALID_REQUEST', `Nothing was told up to ${seq} yet.`)
  await store.moveCursor(name, seq, clock.now())
}

/** Looks at a task whenever its bell rings, and at all of them now and then. */
async function untilNews(asked: MonitorAskJson, context: ServerContext): Promise<Standing[]> {
  const { core } = context.supervisor
  const until = core.clock.monotonic() + asked.wait_seconds * 1000
  const ids = await Promise.all(asked.ids.map((id) => wholeId(id, core)))
  const rings = new Rings(ids, core)
  try {
    let standings = await Promise.all(ids.map((id) => stand(id, core)))
    for (;;) {
      const left = until - core.clock.monotonic()
      if (left <= 0 || context.stopping.aborted || isNews(standings, asked)) return standings
      const rung = await rings.next(Math.min(left, LOOK_AGAIN_MS), core, context.stopping)
      const changed = (id: string) => rung.length === 0 || rung.includes(id)
      standings = await Promise.all(standings.map((one) => (changed(one.id) ? stand(one.id, core) : one)))
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

/** Says nothing to who reads it, but differs when a task does something else. */
const seenAs = (standings: readonly Standing[]) =>
  standings.map(({ task }) => `${task?.status} ${task?.phase} ${task?.phaseUntil}`).join(',')
