import { expect, test } from 'vitest'
import { RepeatedWork } from '../../../src/supervisor/kernel/repeated-work.ts'

/** Timers that go off when told to, and work that ends when told to. */
function world() {
  const timers: { ms: number; call: () => void }[] = []
  const works: ((pauseMs: number | null) => Promise<void>)[] = []
  const clock = {
    after: (ms: number, call: () => void) => {
      const timer = { ms, call }
      timers.push(timer)
      return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1))
    },
  }
  const work = () =>
    new Promise<number | null>((resolve) => {
      works.push(async (pauseMs) => {
        resolve(pauseMs)
        await new Promise(setImmediate)
      })
    })
  const ring = () => timers.shift()!.call()
  return { repeated: new RepeatedWork(clock, work), pauses: () => timers.map(({ ms }) => ms), ring, works }
}

test('nothing is done before somebody calls; then again after each pause, until there is none', async () => {
  const { repeated, pauses, ring, works } = world()
  expect(pauses()).toEqual([])
  repeated.runNow()
  ring()
  await works[0]!(250)
  expect(pauses()).toEqual([250])
  ring()
  await works[1]!(null)
  expect(pauses()).toEqual([])
})

test('a call does not wait for the end of a pause, and comes once', async () => {
  const { repeated, pauses, ring, works } = world()
  repeated.runNow()
  ring()
  await works[0]!(5000)
  repeated.runNow()
  repeated.runNow()
  expect(pauses()).toEqual([0])
})

test('a call during the work is not lost, and does not start it twice', async () => {
  const { repeated, pauses, ring, works } = world()
  repeated.runNow()
  ring()
  repeated.runNow()
  expect([pauses(), works.length]).toEqual([[], 1])
  await works[0]!(null)
  expect(pauses()).toEqual([0])
  ring()
  await works[1]!(1000)
  expect(pauses()).toEqual([1000])
})

test('stopped, it stays so, also when it was at work', async () => {
  const { repeated, pauses, ring, works } = world()
  repeated.runNow()
  ring()
  repeated.stop()
  await works[0]!(10)
  repeated.runNow()
  expect(pauses()).toEqual([])
})
