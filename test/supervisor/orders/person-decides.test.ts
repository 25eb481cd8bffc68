// What a person is told whose order cannot be carried out: what was not done, why, and what to do instead.
import { expect, onTestFinished, test } from 'vitest'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { finishTask } from '../../../src/supervisor/orders/finish-task.ts'
import { killTask } from '../../../src/supervisor/orders/kill-task.ts'
import { personDecides } from '../../../src/supervisor/orders/person-decides.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { startCore } from '../../helpers/core-world.ts'

async function waiting(asked: { converse?: boolean } = {}) {
  const { core, supervisor, request } = await startCore()
  onTestFinished(() => supervisor.stop())
  const { id } = await createTask({ ...request('work'), ...asked }, mergeConfig([]).config, core)
  return { core, id, task: (await core.store.task(id))! }
}

test.each([
  ['resume', 'resumed'],
  ['retry', 'started over'],
] as const)('%s: one that is not stopped is not %s; it can be ended', async (choice, done) => {
  const { core, id } = await waiting()
  await expect(personDecides(id, { choice, by: 'me' }, core)).rejects.toMatchObject({
    code: 'TASK_ACTIVE',
    message: `Session ${id} was not ${done}: it is not stopped (pending, queued).`,
    waysOut: [{ do: 'kill', id }],
  })
})

test('one that is not stopped and takes prompts can be sent one instead', async () => {
  const { core, id } = await waiting({ converse: true })
  await expect(personDecides(id, { choice: 'resume', by: 'me' }, core)).rejects.toMatchObject({
    waysOut: [
      { do: 'send', id },
      { do: 'kill', id },
    ],
  })
})

test.each([
  ['resume', 'resumed'],
  ['retry', 'started over'],
] as const)('%s: one that ended is not %s by an order without an environment', async (choice, done) => {
  const { core, id } = await waiting()
  await killTask(id, { by: 'me', reason: 'enough' }, core)
  await expect(personDecides(id, { choice, by: 'me' }, core)).rejects.toMatchObject({
    code: 'TASK_NOT_ACTIVE',
    message: `Session ${id} was not ${done}: it has ended, and this order came without the environment that an ended session needs.`,
    waysOut: [{ do: choice, id }],
  })
})

test('one with a single prompt is not told to finish, and the reason says what to do', async () => {
  const { core, id, task } = await waiting()
  await expect(finishTask(task, 'me', core)).rejects.toMatchObject({
    code: 'AGENT_CANNOT',
    message: `Session ${id} was not told to finish: it has only one prompt, and ends by itself when that is done. Wait for it, or end it now.`,
    waysOut: [{ do: 'kill', id }],
  })
})
