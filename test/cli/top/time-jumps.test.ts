import { expect, test } from 'vitest'
import { timeJumps } from '../../../src/cli/top/model/time-jumps.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { listening } from './listening.ts'

test('time jumps when our clock goes on and monotonic time does not, and when the clock is set', () => {
  let [own, monotonic] = [1_000_000, 0]
  const hasJumped = timeJumps(
    () => own,
    () => monotonic,
  )
  const goOn = (ownBy: number, monotonicBy: number) => {
    own += ownBy
    monotonic += monotonicBy
    return hasJumped()
  }
  expect(goOn(1_000, 1_000)).toBe(false)
  expect(goOn(60_000, 60_000)).toBe(false)
  expect(goOn(1_500, 1_000)).toBe(false)
  expect(goOn(3_600_000, 1_000)).toBe(true)
  expect(goOn(1_000, 1_000)).toBe(false)
  expect(goOn(-3_600_000, 1_000)).toBe(true)
  expect(goOn(1_000, 1_000)).toBe(false)
})

test('after the machine slept the list is read anew: rows and clock have the daemon’s time again', async () => {
  const { model, clock, count, tasks, hands } = await listening({ a: { elapsed_seconds: 60 } })
  const startedAt = Date.parse(model.get('a')?.row.started_at ?? '')
  const lists = count('/api/tasks/rows')
  tasks.a = { elapsed_seconds: 7_260 }
  hands.hasTimeJumped = true
  await waitFor('the list', () => count('/api/tasks/rows') > lists)
  hands.hasTimeJumped = false
  await waitFor('the age', () => model.get('a')?.row.elapsed_seconds === 7_260)
  const now = clock.now(model.get('a')?.at ?? 0)
  expect(now).toBe(startedAt + 7_260_000)
})
