// Owns what people may see and do about the readers of the journal that may miss nothing.
import { tryCommit } from '../../../changes/try-commit.ts'
import { HoldfastError } from '../../../domain/errors.ts'
import { eventsBetween } from '../../../domain/journal/place.ts'
import { nameSeenAt, readSubscriberName } from '../../../domain/journal/subscriber-name.ts'
import type { NodeId } from '../../../domain/names/ids.ts'
import { printable } from '../../../domain/names/names.ts'
import type { Elsewhere } from '../../../domain/task/elsewhere.ts'
import type { AuditReads } from '../../../ports/store/audit.ts'
import type { JournalReads, SetAside } from '../../../ports/store/journal.ts'
import type { NodeReads } from '../../../ports/store/nodes.ts'
import type { OwnNode, Reads } from '../../../ports/store/store.ts'
import type { Core } from '../../task/core.ts'
import { elsewhereAmong, elsewhereOf } from '../../task/elsewhere.ts'

/** For so long it is shown that one missed events. */
const MISSED_IS_NEWS_MS = 7 * 86_400_000

export type SubscriberSeen = {
  readonly name: string
  /** Events that it has not handled. */
  readonly behind: number
  readonly setAside: number
  /** Old events are kept because of it. */
  readonly holdsPruning: boolean
  /** Of one of another daemon, whose name has its node; null of those of this daemon and of those that all share. */
  readonly elsewhere: Elsewhere | null
}
export type SubscribersSeen = {
  readonly subscribers: readonly SubscriberSeen[]
  readonly setAsides: readonly SetAside[]
  readonly missed: readonly MissedSeen[]
}
/** `what`: which subscriber, and how much. `at`: epoch ms. */
export type MissedSeen = { readonly what: string; readonly at: number }

/** `subscriber`: without its node, which is that of the event. */
type NamedEvent = { readonly subscriber: string; readonly nodeId: NodeId; readonly seq: number }

type Needs = Pick<Core, 'clock' | 'commit' | 'upkeep'> &
  Reads<
    Pick<JournalReads, 'subscribers' | 'setAsides' | 'setAsideCounts' | 'journalEnd'> &
      AuditReads &
      NodeReads &
      OwnNode
  >

export const subscribersDesk = (subscribers: { takeUpAll(): Promise<void> }, core: Needs) => {
  const { store, clock, commit, upkeep } = core
  const missed = async (): Promise<MissedSeen[]> => {
    const since = clock.now() - MISSED_IS_NEWS_MS
    const rows = await store.audits({ kind: 'subscriber_missed_events', since })
    return rows.map(({ at, detail }) => ({ at, what: detail }))
  }
  const ours = async (): Promise<SetAside[]> =>
    (await store.setAsides()).filter(({ subscriber }) => isOurs(subscriber, store))
  return {
    /** Those of this node and those that all nodes share; and of others, what holds up pruning or belongs to a silent one. */
    async seen(): Promise<SubscribersSeen> {
      const end = await store.journalEnd()
      const setAsides = await ours()
      const counts = new Map(
        (await store.setAsideCounts()).map(({ subscriber, count }) => [subscriber, count]),
      )
      const all = await store.subscribers()
      const owner = ({ name }: { readonly name: string }) => ({ nodeId: nodeOf(name, store) })
      const elsewhere = await elsewhereAmong(all.map(owner), core)
      const seen = all.map((one) => ({
        name: nameSeenAt(store.nodeId, one.name),
        behind: eventsBetween(one.place, ofNode(one.name, end)) ?? 0,
        setAside: counts.get(one.name) ?? 0,
        holdsPruning: upkeep.heldBy.includes(one.name),
        elsewhere: elsewhere(owner(one)),
      }))
      return {
        subscribers: seen.filter((one) => one.elsewhere === null || one.holdsPruning || isSilent(one)),
        setAsides,
        missed: await missed(),
      }
    },
    /** The same in short. */
    async troubles() {
      const counts = await store.setAsideCounts()
      const ours = counts.filter(({ subscriber }) => isOurs(subscriber, store))
      return {
        setAside: ours.reduce((sum, { count }) => sum + count, 0),
        heldBy: upkeep.heldBy.map((name) => nameSeenAt(store.nodeId, name)),
        missed: await missed(),
      }
    },
    /** Those that keep old events from being deleted. */
    holdPruning: (): readonly string[] => upkeep.heldBy,
    /** Tries everything that was set aside once more. */
    async retry(by: string): Promise<void> {
      const detail = `${(await ours()).length} events`
      await commit({ audit: { at: clock.now(), kind: 'event_retried', taskId: null, actor: by, detail } })
      await subscribers.takeUpAll()
    },
    /** Gives up a reader of a daemon that is gone, as `seen` names it: nothing is kept for it any more. */
    async dropReader(name: string, by: string): Promise<void> {
      const found = (await store.subscribers()).find((one) => one.name === name)
      if (found === undefined || isOurs(name, store))
        throw new HoldfastError(
          'INVALID_REQUEST',
          `No other daemon follows the journal as '${printable(name)}'.`,
        )
      const elsewhere = await elsewhereOf({ nodeId: nodeOf(name, store) }, core)
      if (!isSilent({ elsewhere }))
        throw new HoldfastError(
          'INVALID_REQUEST',
          `The daemon of '${printable(name)}' is alive: only a reader of one that is not heard of can be dropped.`,
        )
      const audit = {
        at: clock.now(),
        kind: 'reader_dropped',
        taskId: null,
        actor: by,
        detail: `${name}, on ${elsewhere?.host}`,
      } as const
      await tryCommit({ forgetSubscriber: { name, epoch: found.epoch }, audit }, core)
      upkeep.heldBy = upkeep.heldBy.filter((one) => one !== name)
    },
    /** Gives up an event: what waits behind it goes on. Nothing happens when it is not set aside any more. */
    async drop({ subscriber: name, nodeId, seq }: NamedEvent, by: string): Promise<void> {
      await mustExist(name, core)
      const found = (await ours()).find(
        ({ subscriber, event }) =>
          readSubscriberName(subscriber).name === name && event.nodeId === nodeId && event.seq === seq,
      )
      if (found === undefined) {
        if (nodeId !== store.nodeId)
          throw new HoldfastError(
            'INVALID_REQUEST',
            `Event ${seq} is one of another daemon, ${printable(nodeId)}: give it up there.`,
          )
        return
      }
      const { kind, taskId } = found.event
      const detail = `${name}: event ${seq} (${kind}) of node ${nodeId}`
      const audit = { at: clock.now(), kind: 'event_dropped', taskId, actor: by, detail } as const
      await tryCommit({ takeUp: { subscriber: found.subscriber, nodeId, seq }, audit }, core)
      await subscribers.takeUpAll()
    },
  }
}

/** One that all nodes share counts as ours. */
const nodeOf = (subscriber: string, { nodeId }: OwnNode) => readSubscriberName(subscriber).node ?? nodeId
const isOurs = (subscriber: string, own: OwnNode) => nodeOf(subscriber, own) === own.nodeId
const isSilent = ({ elsewhere }: Pick<SubscriberSeen, 'elsewhere'>) =>
  (elsewhere?.silentSince ?? null) !== null

/** The end of the events that concern this subscriber. */
function ofNode(subscriber: string, end: Awaited<ReturnType<JournalReads['journalEnd']>>) {
  const { node } = readSubscriberName(subscriber)
  return node === null ? end : { ...end, at: { [node]: end.at[node] ?? 0 } }
}

async function mustExist(subscriber: string, { store }: Pick<Needs, 'store'>): Promise<void> {
  const all = (await store.subscribers()).filter(({ name }) => isOurs(name, store))
  const names = all.map(({ name }) => readSubscriberName(name).name)
  if (!names.includes(subscriber))
    throw new HoldfastError(
      'INVALID_REQUEST',
      `Nothing follows the journal as '${printable(subscriber)}', only: ${names.join(', ')}.`,
    )
}
