import { asThreadId, type ThreadId } from '../../src/domain/names/ids.ts'
import type { MessageDraft, ThreadDraft } from '../../src/ports/store/threads.ts'
import { NOON } from './ids.ts'

export const ADA = 'person:ada'
/** Two agents that talk with each other. */
export const REVIEWER = 'reviewer@shop'
export const WRITER = 'writer@shop'

/** A thread's id; a later name in the alphabet stands for a younger thread. */
export const threadId = (letter: string): ThreadId => asThreadId(`th_0${letter.repeat(25)}`)
export const THREAD_ID = threadId('A')

export const aThreadDraft = (changes: Partial<ThreadDraft> = {}): ThreadDraft => ({
  id: THREAD_ID,
  title: 'the login page',
  workspaceId: null,
  createdBy: ADA,
  createdAt: NOON,
  key: null,
  members: [],
  ...changes,
})

export const aMessageDraft = (changes: Partial<MessageDraft> = {}): MessageDraft => ({
  threadId: THREAD_ID,
  author: REVIEWER,
  kind: 'message',
  refs: [],
  text: 'hello',
  at: NOON,
  key: null,
  limits: { maxTurns: 20, maxIdenticalFindings: 3 },
  ...changes,
})
