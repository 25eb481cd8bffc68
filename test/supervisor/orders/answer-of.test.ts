import { expect, test } from 'vitest'
import { answerOf } from '../../../src/supervisor/orders/answer-task.ts'

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
