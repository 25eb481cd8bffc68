import { expect, test } from 'vitest'
import { systemClock } from '../../src/system/clock.ts'
import { systemIds } from '../../src/system/ids.ts'
import { exec } from '../../src/system/processes/exec.ts'
import { clockContract } from '../contract/clock-contract.ts'

clockContract('system clock', () => ({ clock: systemClock, pass: (ms) => systemClock.sleep(ms) }))

test('monotonic time is the same clock in every process of one boot', async () => {
  const before = systemClock.monotonic()
  const { stdout } = await exec([process.execPath, '-p', 'Number(process.hrtime.bigint() / 1000000n)'])
  expect(Number(stdout)).toBeGreaterThanOrEqual(before)
  expect(Number(stdout)).toBeLessThanOrEqual(systemClock.monotonic())
})

test('run ids are safe as names and sort by age', () => {
  const ids = Array.from({ length: 1000 }, () => systemIds.run())
  expect(ids.every((id) => /^[a-z0-9-]+$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(1000)
  expect(ids.toSorted()).toEqual(ids)
  expect(systemIds.random()).not.toBe(systemIds.random())
})
