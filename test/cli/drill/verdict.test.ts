import { expect, test } from 'vitest'
import { type Found, whatWasLost } from '../../../src/cli/drill/verdict.ts'
import { CONTINUATION } from '../../../src/domain/go-on.ts'

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
  [{ result: '{}' }, 'its result is "{}"'],
  [{ work: 'one\ntwo\nfour\n' }, 'the lines it wrote are "one\\ntwo\\nfour\\n"'],
  [{ work: 'one\ntwo\ntwo\nthree\nfour\n' }, 'the lines it wrote are "one\\ntwo\\ntwo\\nthree\\nfour\\n"'],
  [{ heard: ['do: it', 'do: it'] }, 'it was told its prompt 2 times'],
  [{ heard: [CONTINUATION] }, 'it was told its prompt 0 times'],
  [{ heard: ['do: it', 'hello'] }, 'it was also told "hello"'],
  [{ runs: [{ how: 'start' }] }, 'it was resumed 0 times'],
  [{ runs: [{ how: 'start' }, { how: 'fresh' }] }, 'it went on by fresh, not in its session'],
  [{ leftOvers: ['process 7 (sleep)'] }, 'left over: process 7 (sleep)'],
])('%j is a loss', (difference, words) => {
  expect(whatWasLost({ ...whole, ...difference }, 'is_resumed')).toEqual([words])
})

test('an agent that was not struck may not have been run again', () => {
  expect(whatWasLost(whole, 'lives')).toEqual(['the agent, which was not struck, was run 2 times'])
})
