import type { NoticeDraft } from '../../src/domain/notify/notice.ts'
import { NOON, taskId } from './ids.ts'

/** The first question of the task `one`. */
export const aNoticeDraft = (id: string, changes: Partial<NoticeDraft> = {}): NoticeDraft => ({
  id,
  channel: 'phone',
  kind: 'question',
  taskId: taskId('one'),
  question: 1,
  runId: null,
  title: 'one asks',
  text: 'May I?',
  options: ['yes', 'no'],
  at: NOON,
  ...changes,
})
