import { expect, test } from 'vitest'
import { Crowd } from '../../../src/supervisor/kernel/crowd.ts'

test('whoever waits goes on when the last one has left, and not before', async () => {
  const crowd = new Crowd()
  const seen: string[] = []
  await crowd.empty()
  crowd.enter('a')
  crowd.enter('a')
  crowd.enter('b')
  const waiting = crowd.empty().then(() => seen.push('went on'))
  crowd.leave('a')
  crowd.leave('nobody')
  await Promise.resolve()
  seen.push('b leaves')
  crowd.leave('b')
  await waiting
  expect(seen).toEqual(['b leaves', 'went on'])
})
