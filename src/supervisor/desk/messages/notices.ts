// Owns notices on behalf of the room that tells people: what is still to be told, and what came of it.
import type { TaskId } from '../../../domain/names/ids.ts'
import type { Notice } from '../../../domain/notify/notice.ts'
import type { Question } from '../../../domain/task/question.ts'
import type { Run } from '../../../domain/task/run.ts'
import type { ConversationReads } from '../../../ports/store/conversation.ts'
import type {
  BoundDelivery,
  ChannelCounts,
  LoggedNotice,
  NoticeChange,
  NoticeReads,
} from '../../../ports/store/notices.ts'
import type { RunReads } from '../../../ports/store/runs.ts'
import type { Reads } from '../../../ports/store/store.ts'
import type { TaskReads, Transition } from '../../../ports/store/tasks.ts'
import type { Core } from '../../task/core.ts'

export const noticesDesk = ({
  store,
  commit,
}: Pick<Core, 'commit'> &
  Reads<
    NoticeReads &
      Pick<ConversationReads, 'question' | 'openQuestions' | 'allOpenQuestions'> &
      Pick<RunReads, 'runsOf'> &
      Pick<TaskReads, 'transitions'>
  >) => ({
  get: (id: string): Promise<Notice | undefined> => store.notice(id),
  /** The most urgent first, then the oldest. */
  unbound: (channel: string, most: number): Promise<Notice[]> => store.unboundNotices(channel, most),
  nextDelivery: (channel: string): Promise<BoundDelivery | undefined> => store.nextDelivery(channel),
  nextRemainder: (channel: string): Promise<BoundDelivery | undefined> => store.nextRemainder(channel),
  channelsToTell: (): Promise<string[]> => store.channelsToTell(),
  log: (ask: Parameters<NoticeReads['noticeLog']>[0]): Promise<LoggedNotice[]> => store.noticeLog(ask),
  counts: (channels: readonly string[]): Promise<ChannelCounts[]> => store.noticeCounts(channels),
  /** Also one that is settled. */
  question: (id: TaskId, number: number): Promise<Question | undefined> => store.question(id, number),
  openQuestions: (id: TaskId): Promise<Question[]> => store.openQuestions(id),
  /** Of all tasks of this node. */
  allOpenQuestions: (): Promise<Question[]> => store.allOpenQuestions(),
  runs: (id: TaskId): Promise<Run[]> => store.runsOf(id),
  /** Oldest first. */
  moves: (id: TaskId): Promise<Transition[]> => store.transitions(id),
  /** TRANSITION_CONFLICT when somebody else was first. */
  async change(change: NoticeChange): Promise<void> {
    await commit(change)
  },
})
