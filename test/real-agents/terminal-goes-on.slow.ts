// OpenCode tries for minutes by itself what its model refuses; then it goes on in its terminal as the others do.
import { expect, test } from 'vitest'
import { useLab } from './lab.ts'
import { recoveringWith, until } from './recovery-world.ts'
import { interrupt, step, untilStep } from './terminal-steps.ts'

const lab = useLab()

test('opencode goes on in its terminal after its model refused it', async () => {
  const { world, run } = await recoveringWith('opencode', lab, 'quiet.window: 1s\n')
  const id = await run(`${step(1)} ${step(2)} the work`, 'full', '--mode', 'interactive')
  await untilStep(world, lab, id, 1)
  const { run_id } = await world.status(id)
  await interrupt('opencode', world, id)
  lab.answer({ verb: 'http', argument: '500' })
  await world.ok(['answer', id, 'resume'])
  await until(world, id, 'a failed turn', ({ retries }) => retries > 0)
  lab.answer(null)
  await untilStep(world, lab, id, 2)
  expect((await world.status(id)).run_id).toBe(run_id)
})
