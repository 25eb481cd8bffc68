// Stored things with what a test cares about changed.
import { asRunId, type TaskId } from '../../src/domain/names/ids.ts'
import type { Input, Question } from '../../src/domain/task/task.ts'

const taskId = '20251118-153042-demo' as TaskId

export const anInput = (changes: Partial<Input> = {}): Input => ({
  taskId,
  number: 1,
  kind: 'prompt',
  text: 'do it',
  question: null,
  option: null,
  by: 'me',
  at: 1,
  runId: null,
  line: null,
  offset: null,
  saidAt: null,
  heardAt: null,
  doneAt: null,
  ...changes,
})

export const aQuestion = (changes: Partial<Question> = {}): Question => ({
  taskId,
  number: 1,
  runId: asRunId('run-1'),
  text: 'Go on?',
  options: ['Yes', 'No'],
  ref: 'r1',
  askedAt: 1,
  answer: null,
  answeredBy: null,
  answeredAt: null,
  settledAt: null,
  ...changes,
})
