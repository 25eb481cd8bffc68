// Owns which events people are told of, and as what. Pure.
import type { EventKind, JournalEvent } from '../domain/journal/events.ts'
import type { NoticeKind } from '../domain/notify/notice.ts'
import type { Phase } from '../domain/task/machine.ts'
import type { Question } from '../domain/task/question.ts'
import type { Run } from '../domain/task/run.ts'
import { waitsUntil } from '../domain/task/state.ts'
import type { Task } from '../domain/task/task.ts'
import type { Act, Telling } from './words.ts'

/** An event of these kinds is looked at. */
export const TOLD_EVENTS = [
  'task_completed',
  'task_failed',
  'task_cancelled',
  'task_question_asked',
  'question_added',
  'question_answered',
  'task_parked',
  'task_stuck_seen',
  'task_escalated',
  'escalation',
  'thread_blocked',
  'event_set_aside',
  'subscriber_missed_events',
  'pruning_held',
  'server_given_up',
  'quota_warning',
  'quota_warning_total',
  'task_launched',
  'task_turn_finished',
  'task_requeued',
  'task_backed_off',
  'task_verifying',
  'task_reopened',
] as const satisfies readonly EventKind[]

/** Another question may be open after these. */
const ASKS: ReadonlySet<EventKind> = new Set(['task_question_asked', 'question_added', 'question_answered'])

/** `key`: what happened, so that two events that tell of the same are one notice. */
export type Happened = Telling & { readonly kind: NoticeKind; readonly key: string }

/** What is known of the task beside its row. */
export type Known = {
  /** Its questions that are not settled. */
  readonly open: readonly Question[]
  readonly runs: readonly Run[]
  /** The phase in which the task was before the event; null when that is not known. */
  readonly phaseBefore: Phase | null
}

/** Empty when nobody is told. */
export function happenedTo(event: JournalEvent, task: Task, known: Known): Happened[] {
  const unanswered = known.open.filter(({ answer }) => answer === null)
  if (ASKS.has(event.kind)) return unanswered.map(asQuestion)
  const told = tellingOf(event, task, known)
  if (told === undefined) return []
  if (told.kind === 'escalation' && event.kind !== 'quota_warning') {
    const own = unanswered.filter(({ askedAt }) => askedAt === event.at)
    if (own.length > 0)
      return own.map((question) => ({ ...asQuestion(question), kind: 'escalation', does: NEEDS_YOU }))
  }
  return [{ ...NOTHING_MORE, reason: reasonOf(event), ...told, key: `${task.id} ${event.at}`, at: event.at }]
}

const NEEDS_YOU = 'needs you'
const NOTHING_MORE = { question: undefined, lastWords: null, until: null, runs: null, acts: [] } as const

const WHY: Act = { what: 'Why', how: 'why' }
const ANSWER: Act = { what: 'Answer', how: 'answer', more: ' <choice>' }
const GO_ON: Act = { what: 'Go on now', how: 'unpark' }
const AGAIN: Act = { what: 'Try again', how: 'retry' }
const OUTPUT: Act = { what: 'Output', how: 'logs' }
/** Of what concerns no single task. */
const JOURNAL: Act = { what: 'Look', how: 'journal show' }

export const asQuestion = (question: Question): Happened => ({
  ...NOTHING_MORE,
  kind: 'question',
  key: `${question.taskId} question ${question.number}`,
  does: 'asks',
  reason: '',
  question,
  at: question.askedAt,
  acts: [ANSWER],
})

type Told = Pick<Happened, 'kind' | 'does'> & Partial<Telling>

function tellingOf(event: JournalEvent, task: Task, known: Known): Told | undefined {
  const runs = known.runs.length
  const lastWords = saidLast(known.runs)
  switch (event.kind) {
    case 'task_completed': {
      const does = task.verification?.verified === true ? 'completed, and its work was checked' : 'completed'
      return {
        kind: 'completion',
        does,
        lastWords,
        runs,
        acts: [OUTPUT],
        ...(lastWords === null ? {} : { reason: '' }),
      }
    }
    case 'task_failed':
      return { kind: 'failure', does: 'failed', lastWords, runs, acts: [WHY, AGAIN] }
    case 'task_cancelled':
      // Whoever ended it knows; nobody knows yet of a limit of time, cost or disk.
      if (task.stop === null || task.stop.kind === 'kill') return undefined
      return { kind: 'failure', does: 'was ended', lastWords, runs, acts: [WHY, AGAIN] }
    case 'task_parked':
      return parked(task, known)
    case 'task_stuck_seen':
      return {
        kind: 'stuck',
        does: 'is stuck',
        reason: `${reasonOf(event)}. It is interrupted, and goes on.`,
        acts: [WHY],
      }
    case 'task_escalated':
    case 'escalation':
      return { kind: 'escalation', does: NEEDS_YOU, acts: [WHY] }
    case 'quota_warning':
      return { kind: 'escalation', does: NEEDS_YOU, acts: [WHY] }
    default:
      return step(event, task, known)
  }
}

/** What holds it back is told: only a usage limit ends by itself for sure. */
function parked(task: Task, { runs, phaseBefore }: Known): Told {
  const until = waitsUntil(task)
  if (phaseBefore === 'parked') return { kind: 'progress', does: 'goes on soon', until }
  switch (whatHoldsBack(task, runs)) {
    case 'limit':
      return { kind: 'limit', does: 'waits for the end of a usage limit', until, acts: [GO_ON] }
    case 'environment':
      return {
        kind: 'escalation',
        does: 'waits because the machine or the network fails',
        until,
        acts: [WHY, GO_ON],
      }
    case 'breaker':
      return { kind: 'escalation', does: 'waits', until, acts: [WHY, GO_ON] }
  }
}

/** Of a task that waits no more, its last run tells. Without a gate, a task waits for a limit of its own. */
function whatHoldsBack(task: Task, runs: readonly Run[]): 'limit' | 'environment' | 'breaker' {
  if (task.phase === 'parked') {
    const [kind] = (task.gate ?? '').split(':')
    return kind === 'environment' || kind === 'breaker' ? kind : 'limit'
  }
  const failure = runs.at(-1)?.failure ?? 'limit'
  return failure === 'limit' || failure === 'environment' ? failure : 'breaker'
}

/** What is told only to those who want to know of every step. */
function step(event: JournalEvent, task: Task, { runs, phaseBefore }: Known): Told | undefined {
  const lastWords = saidLast(runs)
  switch (event.kind) {
    case 'task_launched':
      return runs.length > 1
        ? { kind: 'progress', does: 'goes on' }
        : { kind: 'progress', does: 'has started', reason: '' }
    case 'task_turn_finished':
      return {
        kind: 'progress',
        does: 'finished a turn',
        lastWords,
        ...(lastWords === null ? {} : { reason: '' }),
      }
    case 'task_requeued':
      return {
        kind: 'progress',
        does: WAITS.has(phaseBefore) ? 'goes on' : 'broke off, and goes on by itself',
      }
    case 'task_backed_off':
      return { kind: 'progress', does: 'broke off, and is tried again', until: waitsUntil(task) }
    case 'task_verifying':
      return { kind: 'progress', does: 'is done, and its work is being checked', reason: '' }
    case 'task_reopened':
      return { kind: 'progress', does: 'was brought back' }
    default:
      return undefined
  }
}

const WAITS: ReadonlySet<Phase | null> = new Set([
  'parked',
  'backing_off',
  'waiting',
  'asking',
  'stuck',
  'stopped_by_person',
])

function saidLast(runs: readonly Run[]): string | null {
  const last = runs.at(-1)
  const words = (last?.result?.text || last?.lastWords) ?? ''
  return words.trim() === '' ? null : words
}

/** Of events that concern no single task; undefined when nobody is told. */
export function happenedAround(event: JournalEvent): Happened | undefined {
  const tell = (reason: string, acts: readonly Act[], until: number | null = null): Happened => ({
    ...NOTHING_MORE,
    kind: 'escalation',
    key: `${event.nodeId} ${event.seq}`,
    does: NEEDS_YOU,
    reason,
    at: event.at,
    until,
    acts,
  })
  switch (event.kind) {
    case 'thread_blocked':
      return tell(`Thread ${event.data.thread} is blocked: ${event.data.why}`, [
        { what: 'Read it', how: `thread show ${event.data.thread}` },
        { what: 'Let it go on', how: `thread continue ${event.data.thread}` },
      ])
    case 'event_set_aside': {
      const { subscriber, event: one, why } = event.data
      const whose = one.task === null ? '' : ` of ${one.task}`
      return tell(
        `Holdfast (${subscriber}) could not handle the event ${one.kind}${whose} and set it aside: ${why}. Later events of the same session wait behind it.`,
        [JOURNAL, { what: 'Try again', how: 'journal retry' }],
      )
    }
    case 'subscriber_missed_events':
      return tell(
        `Holdfast (${event.data.subscriber}) missed ${event.data.missed ?? 'some'} events: they were deleted before it had handled them. It goes on with those that are kept.`,
        [JOURNAL],
      )
    case 'pruning_held':
      return tell(
        `Old events are kept, because Holdfast (${event.data.subscribers.join(', ')}) has not handled them yet. They are deleted in the end even so.`,
        [JOURNAL],
      )
    case 'server_given_up':
      return tell(
        `tmux died ${event.data.deaths} times and is left down for a while.`,
        [{ what: 'Look', how: 'doctor' }],
        event.data.retryAt,
      )
    case 'quota_warning_total':
      return tell(`All sessions together use ${Math.round(event.data.bytes / 1024 ** 2)} MB of disk space.`, [
        { what: 'Remove what ended long ago', how: 'prune --older-than 30d' },
      ])
    case 'escalation':
      return tell(event.data.reason, [])
    default:
      return undefined
  }
}

function reasonOf({ kind, data }: JournalEvent): string {
  if (kind === 'quota_warning') return `It uses ${Math.round(data.bytes / 1024 ** 2)} MB of disk space.`
  return 'reason' in data ? String(data.reason) : ''
}
