import { expect, test } from 'vitest'
import { EndsInFlight } from '../../../src/supervisor/kernel/ends-in-flight.ts'

test('whoever waits goes on when the last one has left, and not before', async () => {
  const crowd = new EndsInFlight()
  const seen: string[] = []
  await crowd.whenEmpty()
  crowd.enter('a')
  crowd.enter('a')
  crowd.enter('b')
  const waiting = crowd.whenEmpty().then(() => seen.push('went on'))
  crowd.leave('a')
  crowd.leave('nobody')
  await Promise.resolve()
  seen.push('b leaves')
  crowd.leave('b')
  await waiting
  expect(seen).toEqual(['b leaves', 'went on'])
})
