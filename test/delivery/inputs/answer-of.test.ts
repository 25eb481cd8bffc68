import { expect, test } from 'vitest'
import { answerOf, chooseQuestion } from '../../../src/delivery/inputs/answer-of.ts'
import type { Question } from '../../../src/domain/task/question.ts'
import { aQuestion } from '../../builders/question.ts'
import { aTask } from '../../builders/task.ts'

const question = { options: ['Yes', 'Yes, always', 'No', '2'] }

test.each([
  ['1', 0, 'Yes'],
  ['yes', 0, 'Yes'],
  ['no', 2, 'No'],
  ['n', 2, 'No'],
  ['2', 3, '2'],
  ['ye', null, 'ye'],
  ['9', null, '9'],
  ['something else', null, 'something else'],
  ['', null, ''],
])('%j means option %j', (choice, option, text) => {
  expect(answerOf(choice, question)).toEqual({ option, text })
})

test('an answer is for the question it names, else for the first that has none yet', () => {
  const task = aTask()
  const answered = aQuestion({ number: 1, answer: 'yes' })
  const waits = aQuestion({ number: 2 })
  expect(chooseQuestion([answered, waits], undefined, task)).toBe(waits)
  expect(chooseQuestion([answered, waits], 1, task)).toBe(answered)
  expect(chooseQuestion([answered], undefined, task)).toBe(answered)
  const refusal = (open: Question[], number?: number) => () => chooseQuestion(open, number, task)
  expect(refusal([])).toThrow(`Session ${task.id} has no open question.`)
  expect(refusal([waits], 3)).toThrow(`Session ${task.id} has no open question 3.`)
})
