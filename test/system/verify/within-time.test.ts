import { expect, test } from 'vitest'
import { TookTooLong, withinTime } from '../../../src/system/verify/within-time.ts'

const sleepWithoutWork = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('work that only waited, as on a busy machine, gets its time after all', () => {
  const done = withinTime(100, () => {
    sleepWithoutWork(250)
    return 'done'
  })
  expect(done).toBe('done')
})

test('work that computes too long is stopped, whatever the machine does', () => {
  expect(() => withinTime(100, () => /^(a+)+$/.test(`${'a'.repeat(40)}!`))).toThrow(TookTooLong)
})

test('an error of the work is its own', () => {
  const work = () => {
    throw new RangeError('mine')
  }
  expect(() => withinTime(100, work)).toThrow('mine')
})
