// A commit can be stored although it failed here: the connection broke before the answer came, or the disk failed after it.
import { expect, test } from 'vitest'
import { HoldfastError } from '../../src/domain/errors.ts'
import { type CoreInTime, startCoreInTime } from '../helpers/core-in-time.ts'

const MINUTE = 60_000

function loseAnswerTo(part: 'newRun' | 'run', { core: { store } }: CoreInTime) {
  const { commit } = store
  store.commit = async (change) => {
    const committed = await commit(change)
    if (change[part] === undefined) return committed
    store.commit = commit
    throw new HoldfastError('STORE_UNREACHABLE', 'the connection broke')
  }
}

const nextRun = async ({ core, clock }: CoreInTime, id: Parameters<CoreInTime['task']>[0]) =>
  clock.passUntil('a second run', async () => (await core.store.runsOf(id)).length === 2, 2 * MINUTE)

test('a task whose launch was stored, and not told, is launched again; the first run is void', async () => {
  const world = await startCoreInTime()
  loseAnswerTo('newRun', world)
  const id = await world.creates('x')
  await nextRun(world, id)
  expect((await world.core.store.runsOf(id))[0]).toMatchObject({ state: 'void' })
})

test('a task whose run’s end was stored, and not told, goes on in a new run', async () => {
  const world = await startCoreInTime()
  const id = await world.creates('x')
  await world.agentStarts(id)
  loseAnswerTo('run', world)
  await world.agentExits(id, { code: 1 })
  await nextRun(world, id)
  expect((await world.core.store.runsOf(id))[0]).toMatchObject({ state: 'exited', exitCode: 1 })
})
