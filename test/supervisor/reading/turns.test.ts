import { expect, test } from 'vitest'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'
import { changeOf } from '../../../src/supervisor/reading/turns.ts'
import { inPhase } from '../../builders/phases.ts'
import { aQuestion } from '../../builders/question.ts'
import { aTask, type TaskChanges } from '../../builders/task.ts'
import { aWatch } from '../../builders/watch.ts'

const conversing = { snapshot: { converse: true } }
const inTerminal = { mode: 'interactive' } as const
const watched = (standing = inPhase.working(), changes: TaskChanges = {}) =>
  aWatch({ task: aTask(standing, changes) })

const asked = (ref?: string): AgentSays => ({ kind: 'asked', question: 'Go on?', options: ['Yes'], ref })
const said: AgentSays = { kind: 'said', text: 'x' }
const finished: AgentSays = { kind: 'finished', ok: true, text: '' }
const asking = watched(inPhase.asking(), conversing)

test('a question moves the task and is kept with what an answer has to name', () => {
  const change = changeOf([said, asked('r1')], watched(), [], 7)
  expect(change).toMatchObject({
    task: { event: 'question_asked', from: 'running', reason: 'Go on? (Yes)' },
    question: { text: 'Go on?', ref: 'r1', askedAt: 7 },
  })
})

test('a second question joins the first, the same one told twice does not', () => {
  const open = [aQuestion({ ref: 'r1' })]
  expect(changeOf([asked('r2')], asking, open, 7)).toEqual({
    question: expect.objectContaining({ ref: 'r2' }),
  })
  expect(changeOf([asked('r1')], asking, open, 7)).toBeUndefined()
  expect(changeOf([asked()], asking, [aQuestion({ ref: null })], 7)).toBeUndefined()
})

test('other tools may go on while a question waits for its line', () => {
  expect(changeOf([said], asking, [aQuestion()], 7)).toBeUndefined()
})

test('with its answer given, going on settles it; another open one keeps the task waiting', () => {
  const answered = aQuestion({ number: 1, answer: 'Yes' })
  expect(changeOf([said], asking, [answered], 7)).toMatchObject({
    task: { event: 'question_settled' },
    settled: { numbers: [1] },
  })
  const both = [answered, aQuestion({ number: 2, ref: 'r2' })]
  expect(changeOf([said], asking, both, 7)).toEqual({
    settled: { taskId: asking.task.id, at: 7, numbers: [1] },
  })
})

test('a question answered elsewhere is settled by the agent’s word', () => {
  const change = changeOf([{ kind: 'answered', answer: 'Yes' }], asking, [aQuestion()], 7)
  expect(change).toMatchObject({ task: { event: 'question_settled' }, settled: { numbers: [1] } })
})

test('the end of a turn leaves one that stays idle, with nothing open', () => {
  expect(changeOf([finished], asking, [aQuestion()], 7)).toMatchObject({
    task: { event: 'turn_finished', from: 'waiting_input' },
    settled: { numbers: [1] },
  })
  expect(changeOf([finished], watched(), [], 7)).toBeUndefined()
})

test('an idle agent that does something works again', () => {
  const idle = watched(inPhase.idle(), inTerminal)
  expect(changeOf([{ kind: 'heard', ref: null, text: 'by hand' }], idle, [], 7)).toMatchObject({
    task: { event: 'turn_began' },
  })
  expect(changeOf([{ kind: 'note', text: 'x' }], idle, [], 7)).toBeUndefined()
})

test('a runtime whose turn a person interrupts waits for its next prompt, and nobody is asked', () => {
  const interrupted: AgentSays = { kind: 'finished', ok: false, text: '', interrupted: true }
  const runtime = { mode: 'interactive', snapshot: { standing: true } } as const
  const change = changeOf([interrupted], watched(inPhase.working(), runtime), [], 7)
  expect(change).toMatchObject({ task: { event: 'turn_finished' } })
  expect(change?.question).toBeUndefined()
})

test('a turn interrupted in its terminal was stopped by a person, who is asked; without one it only ended', () => {
  const interrupted: AgentSays = { kind: 'finished', ok: false, text: '', interrupted: true }
  expect(changeOf([interrupted], watched(inPhase.working(), inTerminal), [aQuestion()], 7)).toMatchObject({
    task: { event: 'person_stopped' },
    settled: { numbers: [1] },
    question: { options: ['resume', 'close'], ref: 'holdfast' },
  })
  expect(changeOf([interrupted], watched(inPhase.working(), conversing), [], 7)).toMatchObject({
    task: { event: 'turn_finished' },
  })
})

test('a tool’s end that is told behind the end of its turn begins nothing', () => {
  const ended: AgentSays = { kind: 'tool_ended', tool: 'bash', ok: false, detail: 'aborted' }
  const began: AgentSays = { kind: 'tool_began', tool: 'bash', detail: '' }
  const interrupted: AgentSays = { kind: 'finished', ok: false, text: '', interrupted: true }
  expect(changeOf([interrupted, ended], watched(inPhase.working(), inTerminal), [], 7)).toMatchObject({
    task: { event: 'person_stopped' },
  })
  const asks = aQuestion({ ref: 'holdfast' })
  const stopped = watched(inPhase.stoppedByPerson(), inTerminal)
  expect(changeOf([ended], stopped, [asks], 7)).toBeUndefined()
  expect(changeOf([ended], watched(inPhase.idle(), inTerminal), [], 7)).toBeUndefined()
  expect(changeOf([began, ended], stopped, [asks], 7)).toMatchObject({ task: { event: 'question_settled' } })
})
