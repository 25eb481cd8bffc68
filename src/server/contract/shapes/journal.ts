// Owns the shapes, for the API document, of the journal's subscribers and their troubles.
import * as z from 'zod/mini'
import type {
  JournalJson,
  JournalTroubleJson,
  MissedJson,
  SetAsideJson,
  SubscriberJson,
} from '../../../protocol/json/journal-json.ts'
import { elsewhere } from './elsewhere.ts'
import { count, named, orNull, time } from './named.ts'

const subscriber = named(
  'SubscriberJson',
  z.object({
    name: z.string(),
    behind: count,
    set_aside: count,
    holds_pruning: z.boolean(),
    elsewhere: orNull(elsewhere),
  }),
) satisfies z.ZodMiniType<SubscriberJson>
const setAside = named(
  'SetAsideJson',
  z.object({
    id: z.string(),
    subscriber: z.string(),
    kind: z.string(),
    session_id: orNull(z.string()),
    seq: count,
    at: time,
    why: orNull(z.string()),
  }),
) satisfies z.ZodMiniType<SetAsideJson>
const missed = named(
  'MissedJson',
  z.object({ at: time, what: z.string() }),
) satisfies z.ZodMiniType<MissedJson>

export const journal = named(
  'JournalJson',
  z.object({ subscribers: z.array(subscriber), set_aside: z.array(setAside), missed: z.array(missed) }),
) satisfies z.ZodMiniType<JournalJson>
export const trouble = named(
  'JournalTroubleJson',
  z.object({ set_aside: count, held_by: z.array(z.string()), missed: z.array(missed) }),
) satisfies z.ZodMiniType<JournalTroubleJson>
