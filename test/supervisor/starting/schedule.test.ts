import { expect, test } from 'vitest'
import { startCoreInTime } from '../../helpers/core-in-time.ts'

test('a child has the slot of its parent, though the user’s own settings allow no children: the project’s did', async () => {
  const { creates, agentStarts, clock, task } = await startCoreInTime({
    maxConcurrent: 1,
    'recursion.depth': 0,
  })
  const parent = await creates('lead')
  await agentStarts(parent)
  const other = await creates('wait', { priority: 'high' })
  const child = await creates('help', { parentId: parent })
  await clock.passUntil('the child', async () => (await task(child)).status === 'running')
  expect((await task(other)).status).toBe('pending')
})
