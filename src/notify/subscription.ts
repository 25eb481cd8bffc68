// Owns that people are told what happens: an event becomes one row for each channel that a rule names, in the same commit
// as the subscriber's place. So none is missed and none is there twice, whenever the daemon dies. Where several nodes share
// a store, each tells of its own tasks.
import type { EventKind, JournalEvent } from '../domain/journal/events.ts'
import type { NoticeDraft, NoticeKind } from '../domain/notify/notice.ts'
import { channelsFor, type NoticeRule } from '../domain/notify/rules.ts'
import { readAgentId } from '../domain/runtime/names.ts'
import { unanswered } from '../domain/task/final-state.ts'
import type { Task } from '../domain/task/task.ts'
import { contentHash } from '../domain/text/content-hash.ts'
import type { Change } from '../ports/store/commits.ts'
import type { Desk, Subscription } from '../supervisor/desk.ts'
import {
  asQuestion,
  type Happened,
  happenedAround,
  happenedTo,
  type Known,
  TOLD_EVENTS,
} from './what-happened.ts'
import { wordsOf, wordsOfTask } from './words.ts'

const NOTICES = 'notices'

export type NoticeTerms = {
  readonly desk: Pick<Desk, 'tasks' | 'notices'>
  readonly rules: readonly NoticeRule[]
  /** Names. */
  readonly channels: readonly string[]
  /** What the settings of a project let people be told; of the user alone when it is null. */
  readonly kindsFor: (project: string | null) => Promise<readonly NoticeKind[]>
}

export const noticesSubscription = (terms: NoticeTerms): Subscription => ({
  name: NOTICES,
  // Each node tells of its own tasks: it alone can bring them an answer.
  isOfNode: true,
  // Without channels it only lets the journal forget.
  kinds: terms.channels.length === 0 ? [] : TOLD_EVENTS,
  handle: (event) => noticesOf(event, terms),
  readAnew: () => noticesOfOpenQuestions(terms),
})

/** Events were lost: what is still asked now is told, unless it was told before. */
async function noticesOfOpenQuestions(terms: NoticeTerms): Promise<Change> {
  const notices: NoticeDraft[] = []
  for (const question of unanswered(await terms.desk.notices.allOpenQuestions())) {
    const task = await terms.desk.tasks.getIfExists(question.taskId)
    const isTold = task !== undefined && (await terms.kindsFor(task.project)).includes('question')
    if (isTold) notices.push(...draftsOf(asQuestion(question), { at: question.askedAt }, task, terms))
  }
  return { notices }
}

/** Undefined where nobody is told anything. */
async function noticesOf(event: JournalEvent, terms: NoticeTerms): Promise<Change | undefined> {
  const { taskId } = event
  const task = taskId === null ? undefined : await terms.desk.tasks.getIfExists(taskId)
  const happened =
    task === undefined
      ? [taskId === null ? happenedAround(event) : undefined].filter((one) => one !== undefined)
      : happenedTo(event, task, await knownOf(task, event, terms))
  if (happened.length === 0) return undefined
  const kinds = await terms.kindsFor(task?.project ?? null)
  const notices = happened
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((one) => draftsOf(one, event, task, terms))
  return notices.length === 0 ? undefined : { notices }
}

const DEPENDS_ON_PHASE_BEFORE: ReadonlySet<EventKind> = new Set(['task_parked', 'task_requeued'])

async function knownOf({ id }: Task, event: JournalEvent, { desk }: NoticeTerms): Promise<Known> {
  const { notices } = desk
  const open = await notices.openQuestions(id)
  const runs = await notices.runs(id)
  // A task can have thousands of moves: they are read only where it matters what it did before.
  const moves = DEPENDS_ON_PHASE_BEFORE.has(event.kind) ? await notices.moves(id) : []
  const place = moves.findLastIndex((move) => `task_${move.event}` === event.kind && move.at === event.at)
  return {
    open,
    runs: runs.filter(({ createdAt }) => createdAt <= event.at),
    phaseBefore: place < 1 ? null : (moves[place - 1]?.phase ?? null),
  }
}

function draftsOf(
  happened: Happened,
  { at }: Pick<JournalEvent, 'at'>,
  task: Task | undefined,
  { rules, channels }: NoticeTerms,
): NoticeDraft[] {
  const about = task && { tags: task.tags, role: roleOf(task), isChild: task.parentId !== null }
  const { kind, key, question } = happened
  const words = task === undefined ? wordsOf(happened) : wordsOfTask(task, happened)
  return channelsFor(kind, about ?? null, rules, channels).map((channel) => ({
    id: noticeId(channel, key),
    channel,
    kind,
    taskId: task?.id ?? null,
    question: question?.number ?? null,
    runId: question?.runId ?? task?.runId ?? null,
    ...words,
    at,
  }))
}

/** A runtime holds the role of its name also where that has no file. */
const roleOf = ({ role, runtime }: Task) => role ?? (runtime && (readAgentId(runtime)?.role ?? null))

/** Short: with an answer and a signature it has to fit into a button of Telegram, which takes 64 bytes. */
const noticeId = (channel: string, key: string) => `n${contentHash(`${channel} ${key}`).slice(0, 19)}`
