import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { clockContract } from '../contract/clock-contract.ts'
import { TestClock } from './test-clock.ts'

clockContract('test clock', () => {
  const clock = new TestClock()
  return { clock, pass: (ms) => clock.pass(ms) }
})

test('time stands still until it is moved', async () => {
  const clock = new TestClock()
  const before = [clock.now(), clock.monotonic()]
  await new Promise((resume) => setTimeout(resume, 5))
  expect([clock.now(), clock.monotonic()]).toEqual(before)
})

test('a clock that is set moves one hand alone, and wakes nobody', () => {
  const clock = new TestClock()
  const [wall, mono] = [clock.now(), clock.monotonic()]
  let isWoken = false
  clock.after(1000, () => {
    isWoken = true
  })
  clock.set(-3_600_000)
  expect([clock.now(), clock.monotonic(), isWoken]).toEqual([wall - 3_600_000, mono, false])
})

test('who is called sees its own time, and what it reads is read before the hands go on', async () => {
  const clock = new TestClock()
  const begun = clock.monotonic()
  const seen: number[] = []
  for (const ms of [100, 200])
    clock.after(ms, async () => {
      await readFile(import.meta.filename)
      seen.push(clock.monotonic() - begun)
    })
  await clock.pass(1000)
  expect(seen).toEqual([100, 200])
  expect(clock.monotonic() - begun).toBe(1000)
})

test('what never comes to hold is told with what was waited for', async () => {
  const clock = new TestClock()
  await expect(clock.passUntil('a miracle', () => false, 500)).rejects.toThrow(
    '500 ms passed in vain for: a miracle',
  )
})
