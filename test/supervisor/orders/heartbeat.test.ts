import { expect, test } from 'vitest'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { heartbeat } from '../../../src/supervisor/orders/heartbeat.ts'
import { startCoreInTime } from '../../helpers/core-in-time.ts'

test('an agent may say that it is alive before the daemon has seen its process; nobody else may say so', async () => {
  const { core, clock, creates, task } = await startCoreInTime()
  const id = await creates('do: hang')
  const watch = core.watched.get(id)
  expect(watch?.run.state).toBe('launching')
  const itself = { kind: 'run', run: watch?.run.id ?? asRunId('none'), name: 'run' } as const
  expect(await heartbeat(await task(id), itself, 'idle', core)).toEqual({ status: 'idle', at: clock.now() })
  expect(await core.store.run(itself.run)).toMatchObject({
    heartbeatStatus: 'idle',
    heartbeatAt: clock.now(),
  })
  const refused = expect.objectContaining({ code: 'TASK_NOT_ACTIVE' })
  const person = { kind: 'person', name: 'ann' } as const
  await expect(heartbeat(await task(id), person, 'active', core)).rejects.toEqual(refused)
  const other = { kind: 'run', run: asRunId('other'), name: 'run' } as const
  await expect(heartbeat(await task(id), other, 'active', core)).rejects.toEqual(refused)
})
