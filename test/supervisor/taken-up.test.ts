// A daemon takes up what an earlier one left: launches that were under way are decided, its own are left alone.
import { expect, test } from 'vitest'
import type { RunId, TaskId } from '../../src/domain/names/ids.ts'
import { Supervisor } from '../../src/supervisor/supervisor.ts'
import { type CoreInTime, startCoreInTime } from '../helpers/core-in-time.ts'
import { waitFor } from '../helpers/wait-for.ts'

const statesOf = async (id: TaskId, { core }: CoreInTime) =>
  (await core.store.runsOf(id)).map(({ state }) => state)

/** Whoever looks whether this run has ended waits for that. */
function delayLook(run: RunId, until: Promise<unknown>, { core: { runFiles } }: CoreInTime): void {
  const exit = runFiles.exit.bind(runFiles)
  runFiles.exit = async (id) => {
    if (id === run) await until
    return exit(id)
  }
}

test('a launch that a daemon ordered while it was starting is not called off by itself', async () => {
  const world = await startCoreInTime()
  const died = await world.creates('dies')
  const slow = await world.creates('takes long to look at')
  for (const id of [died, slow]) await world.agentStarts(id)
  await world.supervisor.stop()
  await world.agentExits(died, { code: 1 })
  const launched = waitFor('the next launch', async () => (await statesOf(died, world))[1] === 'launching')
  delayLook((await world.task(slow)).runId!, launched, world)
  const next = new Supervisor(world.core, world.config)
  await next.start()
  expect(await statesOf(died, world)).toEqual(['exited', 'launching'])
  await next.stop()
})
