// Owns what is read for each scrape: how many tasks are in which state, and how the daemon is. What cannot be read is left out.

import { readSubscriberName } from '../domain/journal/subscriber-name.ts'
import type { NodeId } from '../domain/names/ids.ts'
import { unanswered } from '../domain/task/final-state.ts'
import { PHASES, TASK_STATUSES } from '../domain/task/machine.ts'
import type { TerminalHealth } from '../ports/run/terminal.ts'
import type { ConversationReads } from '../ports/store/conversation.ts'
import type { GateReads } from '../ports/store/gates.ts'
import type { JournalReads } from '../ports/store/journal.ts'
import type { NoticeReads } from '../ports/store/notices.ts'
import type { TaskLists } from '../ports/store/task-lists.ts'
import type { GaugeName, Labels } from './catalogue.ts'
import { GATE_KINDS, gateKind } from './journal-counts.ts'

/** The names of the channels in the settings. */
type Channels = { readonly channels: readonly string[] }

export type StoredState = Pick<NoticeReads, 'noticeCounts'> &
  Pick<TaskLists, 'counts' | 'listTotals'> &
  Pick<ConversationReads, 'allOpenQuestions'> &
  GateReads &
  Pick<JournalReads, 'subscribers' | 'setAsideCounts' | 'journalEnd'> & { readonly nodeId: NodeId }

export type DaemonState = {
  /** Epoch ms. */
  now(): number
  tmuxHealth(): TerminalHealth
  waiters(): number
  /** Subscribers for which old events are kept. */
  holdPruning(): readonly string[]
  disk(): { readonly bytes: number; readonly warning: string | null }
  /** Free bytes where the home lies; undefined when that cannot be told. */
  freeBytes(): Promise<number | undefined>
}

export type Shown = { readonly gauge: GaugeName; readonly labels?: Labels; readonly value: number }

export async function daemonNow(daemon: DaemonState): Promise<Shown[]> {
  const { bytes, warning } = daemon.disk()
  const free = await daemon.freeBytes()
  return [
    { gauge: 'holdfast_tmux_up', value: daemon.tmuxHealth() === 'up' ? 1 : 0 },
    { gauge: 'holdfast_waiters', value: daemon.waiters() },
    { gauge: 'holdfast_pruning_held', value: daemon.holdPruning().length },
    { gauge: 'holdfast_disk_used_bytes', value: bytes },
    { gauge: 'holdfast_disk_too_much', value: warning === null ? 0 : 1 },
    ...(free === undefined ? [] : [{ gauge: 'holdfast_home_free_bytes' as const, value: free }]),
  ]
}

export async function storedNow(store: StoredState, now: number, { channels }: Channels): Promise<Shown[]> {
  return [
    ...(await tasksNow(store)),
    ...(await questionsNow(store, now)),
    ...(await gatesNow(store, now)),
    ...(await subscribersNow(store)),
    ...(await noticesNow(store, channels)),
  ]
}

async function tasksNow(store: Pick<StoredState, 'counts' | 'listTotals'>): Promise<Shown[]> {
  const counts = await store.counts()
  const totals = await store.listTotals({ runtimes: true })
  const inPhase = (phase: string) =>
    totals.reduce((sum, one) => sum + (one.phase === phase ? one.count : 0), 0)
  return [
    ...TASK_STATUSES.map((status) => ({
      gauge: 'holdfast_tasks' as const,
      labels: { status },
      value: counts[status],
    })),
    ...PHASES.map((phase) => ({
      gauge: 'holdfast_tasks_in_phase' as const,
      labels: { phase },
      value: inPhase(phase),
    })),
  ]
}

async function questionsNow(store: Pick<StoredState, 'allOpenQuestions'>, now: number): Promise<Shown[]> {
  const open = unanswered(await store.allOpenQuestions())
  const oldest = Math.min(now, ...open.map(({ askedAt }) => askedAt))
  return [
    { gauge: 'holdfast_questions_open', value: open.length },
    { gauge: 'holdfast_question_oldest_seconds', value: (now - oldest) / 1000 },
  ]
}

async function gatesNow(store: GateReads, now: number): Promise<Shown[]> {
  const gates = await store.gates()
  return GATE_KINDS.flatMap((kind) => {
    const closed = gates.filter((gate) => gateKind(gate.kind) === kind)
    const since = Math.min(now, ...closed.map((gate) => gate.since))
    return [
      { gauge: 'holdfast_gates_closed' as const, labels: { kind }, value: closed.length },
      { gauge: 'holdfast_gate_closed_seconds' as const, labels: { kind }, value: (now - since) / 1000 },
    ]
  })
}

async function noticesNow(
  store: Pick<StoredState, 'noticeCounts'>,
  channels: readonly string[],
): Promise<Shown[]> {
  const counts = await store.noticeCounts(channels)
  return counts.flatMap(({ channel, waiting, setAside, lastError }) => {
    const labels = { channel }
    return [
      { gauge: 'holdfast_notices_waiting' as const, labels, value: waiting },
      { gauge: 'holdfast_notices_set_aside' as const, labels, value: setAside },
      { gauge: 'holdfast_channel_failing' as const, labels, value: lastError === null ? 0 : 1 },
    ]
  })
}

/** Of the subscribers that each node has for itself, other nodes tell. */
async function subscribersNow(
  store: Pick<StoredState, 'subscribers' | 'setAsideCounts' | 'journalEnd' | 'nodeId'>,
): Promise<Shown[]> {
  const end = await store.journalEnd()
  const counts = new Map((await store.setAsideCounts()).map(({ subscriber, count }) => [subscriber, count]))
  const readers = await store.subscribers()
  return readers.flatMap(({ name: text, place }) => {
    const { name, node } = readSubscriberName(text)
    if (node !== null && node !== store.nodeId) return []
    const nodes = node === null ? (Object.keys(end.at) as NodeId[]) : [node]
    const value = nodes.reduce((sum, one) => sum + Math.max(0, (end.at[one] ?? 0) - (place.at[one] ?? 0)), 0)
    const labels = { subscriber: name }
    return [
      { gauge: 'holdfast_subscriber_lag_events' as const, labels, value },
      { gauge: 'holdfast_events_set_aside' as const, labels, value: counts.get(text) ?? 0 },
    ]
  })
}
