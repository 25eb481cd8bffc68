import { expect, test } from 'vitest'
import { systemClock } from '../../src/system/clock.ts'
import { exec } from '../../src/system/exec.ts'
import { systemIds } from '../../src/system/ids.ts'

test('monotonic time is the same clock in every process of one boot', async () => {
  const before = systemClock.monotonic()
  const { stdout } = await exec([process.execPath, '-p', 'Number(process.hrtime.bigint() / 1000000n)'])
  expect(Number(stdout)).toBeGreaterThanOrEqual(before)
  expect(Number(stdout)).toBeLessThanOrEqual(systemClock.monotonic())
})

test('a call is made once after its time, or never when it was called off', async () => {
  const calls: string[] = []
  const callOff = systemClock.after(5, () => calls.push('called off'))
  callOff()
  await new Promise<void>((resolve) => systemClock.after(10, () => resolve(void calls.push('made'))))
  expect(calls).toEqual(['made'])
})

test('run ids are safe as names and sort by age', () => {
  const ids = Array.from({ length: 1000 }, () => systemIds.run())
  expect(ids.every((id) => /^[a-z0-9-]+$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(1000)
  expect(ids.toSorted()).toEqual(ids)
  expect(systemIds.random()).not.toBe(systemIds.random())
})
