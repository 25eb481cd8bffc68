import { expect, test } from 'vitest'
import { moveTask } from '../../../src/changes/move-task.ts'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { wakeDueTasks } from '../../../src/supervisor/recovering/wake-tasks.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { GO_ON } from '../../builders/phases.ts'
import { startCore } from '../../helpers/core-world.ts'
import { storeLaunch } from '../../helpers/stored-launch.ts'

test.each([
  ['limit:me', 'the usage limit of its account no longer holds it back'],
  ['environment', 'the failure of the machine or the network no longer holds it back'],
  ['breaker:me', 'the failures of its agent and account no longer hold it back'],
])('a task behind the gate %s is told what it waited for when the gate is open', async (gate, reason) => {
  const { core, request } = await startCore()
  const { id } = await createTask(request('x'), mergeConfig([]).config, core)
  await storeLaunch(id, asRunId('run-1'), core)
  const at = core.clock.now()
  const parked = { event: 'parked', until: at + 60_000, gate, goOn: GO_ON } as const
  await core.store.commit({
    run: { id: asRunId('run-1'), from: 'launching', event: 'lost', set: { endedAt: at } },
    task: moveTask({ ...parked, id, from: 'running', reason: '', evidence: [], at }),
  })
  await wakeDueTasks(core)
  expect(await core.store.task(id)).toMatchObject({ phase: 'queued', reason })
})
