import { expect, test } from 'vitest'
import { agentPid, nothingIsLeft, recovering, textIn, toldOnce } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'

test('a tool killed under its agent is the agent’s own affair: nobody is resumed, and no retry is spent', async () => {
  const world = await recovering()
  const id = await world.run('do: tool 600 slow\ndo: append done.txt one\ndo: finish whole')
  const before = await agentPid(world, id)
  const raw = await waitFor('the tool', async () => /"pid":(\d+)/.exec(await world.ok(['logs', id, '--raw'])))
  process.kill(Number(raw[1]), 'SIGKILL')
  const task = await world.untilStatus(id, 'COMPLETED')
  expect(task).toMatchObject({ reason: 'the agent finished', retries: 0 })
  expect(await world.ok(['logs', id])).toContain('ended by SIGKILL')
  expect(textIn(world, 'done.txt')).toBe('one\n')
  expect(world.heard()).toMatchObject([{ pid: before }])
  toldOnce(world, 0)
  await nothingIsLeft(world)
})
