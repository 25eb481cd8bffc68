// Owns which events people are told of, and as what. Pure.
import type { EventKind, JournalEvent } from '../domain/journal/events.ts'
import type { NoticeKind } from '../domain/notify/notice.ts'
import type { Question, Task } from '../domain/task/task.ts'

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
export type Happened = {
  readonly kind: NoticeKind
  readonly key: string
  readonly reason: string
  readonly question: Question | undefined
}

const KINDS: Partial<Readonly<Record<EventKind, NoticeKind>>> = {
  task_completed: 'completion',
  task_failed: 'failure',
  task_parked: 'limit',
  task_stuck_seen: 'stuck',
  task_escalated: 'escalation',
  escalation: 'escalation',
  quota_warning: 'escalation',
  task_launched: 'progress',
  task_turn_finished: 'progress',
  task_requeued: 'progress',
  task_backed_off: 'progress',
  task_verifying: 'progress',
  task_reopened: 'progress',
}

/** `open`: the questions of the task that are not settled. Empty when nobody is told. */
export function happenedTo(event: JournalEvent, task: Task, open: readonly Question[]): Happened[] {
  const unanswered = open.filter(({ answer }) => answer === null)
  const asked = unanswered.map(asQuestion)
  if (ASKS.has(event.kind)) return asked
  if (event.kind === 'task_cancelled') return endedByLimit(event, task)
  const kind = KINDS[event.kind]
  if (kind === undefined) return []
  if (kind === 'escalation' && event.kind !== 'quota_warning') {
    const own = unanswered.filter(({ askedAt }) => askedAt === event.at)
    if (own.length > 0) return own.map((question) => ({ ...asQuestion(question), kind }))
  }
  return [{ kind, key: `${task.id} ${event.at}`, reason: reasonOf(event), question: undefined }]
}

export const asQuestion = (question: Question): Happened => ({
  kind: 'question',
  key: `${question.taskId} question ${question.number}`,
  reason: question.text,
  question,
})

/** Whoever ended it knows; nobody knows yet of a limit of time, cost or disk. */
function endedByLimit(event: JournalEvent, { id, stop }: Task): Happened[] {
  if (stop === null || stop.kind === 'kill') return []
  return [{ kind: 'failure', key: `${id} ${event.at}`, reason: reasonOf(event), question: undefined }]
}

/** Of events that concern no single task; undefined when nobody is told. */
export function happenedAround(event: JournalEvent): Happened | undefined {
  const tell = (reason: string): Happened => ({
    kind: 'escalation',
    key: `${event.nodeId} ${event.seq}`,
    reason,
    question: undefined,
  })
  switch (event.kind) {
    case 'thread_blocked':
      return tell(`Thread ${event.data.thread} is blocked: ${event.data.why}`)
    case 'event_set_aside': {
      const { subscriber, event: one, why } = event.data
      const whose = one.task === null ? '' : ` of ${one.task}`
      return tell(
        `Holdfast (${subscriber}) could not handle the event ${one.kind}${whose} and set it aside: ${why}. Later events of the same session wait behind it.`,
      )
    }
    case 'subscriber_missed_events':
      return tell(
        `Holdfast (${event.data.subscriber}) missed ${event.data.missed ?? 'some'} events: they were deleted before it had handled them. It goes on with those that are kept.`,
      )
    case 'pruning_held':
      return tell(
        `Old events are kept, because Holdfast (${event.data.subscribers.join(', ')}) has not handled them yet. They are deleted in the end even so.`,
      )
    case 'server_given_up':
      return tell(`tmux died ${event.data.deaths} times and is left down for a while.`)
    case 'quota_warning_total':
      return tell(`All sessions together use ${Math.round(event.data.bytes / 1024 ** 2)} MB of disk space.`)
    case 'escalation':
      return tell(event.data.reason)
    default:
      return undefined
  }
}

function reasonOf({ kind, data }: JournalEvent): string {
  if (kind === 'quota_warning') return `It uses ${Math.round(data.bytes / 1024 ** 2)} MB of disk space.`
  return 'reason' in data ? String(data.reason) : ''
}
