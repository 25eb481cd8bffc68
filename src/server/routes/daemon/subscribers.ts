// Owns the routes about the durable readers of the journal: how they are, and what becomes of events that they set aside.
import { Hono } from 'hono'
import { HoldfastError } from '../../../domain/errors.ts'
import { readSubscriberName } from '../../../domain/journal/subscriber-name.ts'
import { asNodeId } from '../../../domain/names/ids.ts'
import { iso } from '../../../domain/task/session-record.ts'
import { redactSecrets } from '../../../domain/text/redact-secrets.ts'
import type { SetAside } from '../../../ports/store/journal.ts'
import type { JournalJson, MissedJson, SetAsideJson } from '../../../protocol/json/journal-json.ts'
import type { MissedSeen } from '../../../supervisor/desk.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { body, dropEventSchema, nothingSchema } from '../../requests/schemas.ts'
import { elsewhereJson } from '../../views/elsewhere.ts'

export function subscriberRoutes({ desk: { subscribers } }: Uses<'subscribers'>): Hono {
  const routes = new Hono()
  const journalJson = async (): Promise<JournalJson> => {
    const seen = await subscribers.seen()
    return {
      subscribers: seen.subscribers.map(({ setAside, holdsPruning, elsewhere, ...one }) => ({
        ...one,
        set_aside: setAside,
        holds_pruning: holdsPruning,
        elsewhere: elsewhereJson(elsewhere),
      })),
      set_aside: seen.setAsides.map(setAsideJson),
      missed: seen.missed.map(missedJson),
    }
  }

  routes.get('/', async (c) => c.json(await journalJson()))
  routes.post('/retry', async (c) => {
    await body(c, nothingSchema)
    await subscribers.retry(callerOf(c).name)
    return c.json(await journalJson())
  })
  routes.post('/drop', async (c) => {
    const { event } = await body(c, dropEventSchema)
    const by = callerOf(c).name
    if (READER.test(event)) await subscribers.dropReader(event, by)
    else await subscribers.drop(eventNamed(event), by)
    return c.json(await journalJson())
  })
  return routes
}

function setAsideJson({ subscriber, event, at, error }: SetAside): SetAsideJson {
  const { name } = readSubscriberName(subscriber)
  return {
    id: `${name}:${event.nodeId}:${event.seq}`,
    subscriber: name,
    kind: event.kind,
    session_id: event.taskId,
    seq: event.seq,
    at: iso(at),
    why: error === null ? null : redactSecrets(error),
  }
}

export const missedJson = ({ at, what }: MissedSeen): MissedJson => ({ at: iso(at), what })

/** `<subscriber>@<node>`, as one of another daemon is listed. */
const READER = /^[^:@]+@[^:@]+$/

/** `<subscriber>:<node>:<number>`, as it is listed. */
function eventNamed(text: string) {
  const [, subscriber, node, seq] = /^([^:]+):([^:]+):(\d{1,15})$/.exec(text) ?? []
  if (subscriber === undefined || node === undefined)
    throw new HoldfastError(
      'INVALID_REQUEST',
      "'event' must be the `id` of an event that is set aside, or the name of a reader of another daemon.",
    )
  return { subscriber, nodeId: asNodeId(node), seq: Number(seq) }
}
