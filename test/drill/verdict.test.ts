import { expect, test } from 'vitest'
import { CONTINUATION } from '../../src/domain/task/go-on.ts'
import { type Found, whatWasLost } from '../../src/drill/verdict.ts'

const whole: Found = {
  status: 'COMPLETED',
  reason: null,
  result: '{"status":"success","result":"The work is done."}',
  work: 'one\ntwo\nthree\nfour\n',
  prompt: 'do: it',
  heard: ['do: it', CONTINUATION],
  runs: [{ how: 'start' }, { how: 'resume' }],
  leftOvers: [],
}

test('a task that was resumed once, told its prompt once, and did all its work has lost nothing', () => {
  expect(whatWasLost(whole, 'is_resumed')).toEqual([])
  expect(whatWasLost({ ...whole, heard: null }, 'either')).toEqual([])
})

test.each([
  [{ status: 'FAILED', reason: 'out of retries' }, 'the task ended as FAILED: out of retries'],
  [{ result: '{}' }, 'the result of the task is wrong: "{}"'],
  [{ work: 'one\ntwo\nfour\n' }, 'the lines that the agent wrote are wrong: "one\\ntwo\\nfour\\n"'],
  [
    { work: 'one\ntwo\ntwo\nthree\nfour\n' },
    'the lines that the agent wrote are wrong: "one\\ntwo\\ntwo\\nthree\\nfour\\n"',
  ],
  [{ heard: ['do: it', 'do: it'] }, 'the agent was told its prompt 2 times'],
  [{ heard: [CONTINUATION] }, 'the agent was told its prompt 0 times'],
  [{ heard: ['do: it', 'hello'] }, 'the agent was also told "hello"'],
  [{ runs: [{ how: 'start' }] }, 'the agent was resumed 0 times instead of once'],
  [{ runs: [{ how: 'start' }, { how: 'fresh' }] }, 'the agent did not go on in its session, but by fresh'],
  [{ leftOvers: ['process 7 (sleep)'] }, 'left over: process 7 (sleep)'],
])('%j is a loss', (difference, words) => {
  expect(whatWasLost({ ...whole, ...difference }, 'is_resumed')).toEqual([words])
})

test('an agent that was not struck may not have been run again', () => {
  expect(whatWasLost(whole, 'lives')).toEqual(['the agent was not struck, but it was run 2 times'])
})
