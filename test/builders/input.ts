import type { TaskId } from '../../src/domain/names/ids.ts'
import type { Input } from '../../src/domain/task/input.ts'
import type { InputDraft } from '../../src/ports/store/conversation.ts'
import { NOON, TASK_ID } from './ids.ts'

/** A prompt that waits to be said, with what the test cares about changed. */
export const anInput = (changes: Partial<Input> = {}): Input => ({
  ...anInputDraft(TASK_ID),
  number: 1,
  question: null,
  option: null,
  runId: null,
  line: null,
  offset: null,
  saidAt: null,
  heardAt: null,
  doneAt: null,
  triggerId: null,
  thread: null,
  reason: null,
  key: null,
  framed: 0,
  forcedBy: null,
  forcedWhy: null,
  state: null,
  code: null,
  stateAt: null,
  ackBy: null,
  ...changes,
})

/** Something to be said to this task. */
export const anInputDraft = (taskId: TaskId, changes: Partial<InputDraft> = {}): InputDraft => ({
  taskId,
  kind: 'prompt',
  text: 'and now the tests',
  by: 'ann',
  at: NOON + 2,
  ...changes,
})
