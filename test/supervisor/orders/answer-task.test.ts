// An answer that comes again with its key: to a question of Holdfast's own, whose answer is a decision about the session.
import { mkdirSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerTask } from '../../../src/supervisor/orders/answer-task.ts'
import { readyRuntime } from '../../helpers/runtime-in-time.ts'

const MINUTE = 60_000

test.each([
  ['resume', 'task_resume'],
  ['close', 'task_cancelled'],
] as const)('%s is carried out once for each key, and told again as it was', async (choice, kind) => {
  const { id, core, project, clock, task, agentExits } = await readyRuntime()
  rmSync(project, { recursive: true })
  await agentExits(id, { code: 1 })
  await clock.passUntil('the question', async () => (await task(id)).status === 'waiting_input', 5 * MINUTE)
  mkdirSync(project)
  const key = { createdBy: 'ada', route: 'POST /api/tasks/:id/answer', key: 'k', digest: 'd' }
  const give = async (more = {}) =>
    answerTask(await task(id), { choice, number: undefined, by: 'ada', key: { ...key, ...more } }, core)
  const [first, second] = await Promise.all([give(), give()])
  const third = await give()
  for (const told of [first, second, third])
    expect(told).toMatchObject({
      question: { number: first.question.number },
      answer: { text: choice },
      takesText: false,
    })
  await expect(give({ digest: 'other' })).rejects.toMatchObject({ code: 'KEY_REUSED' })
  await expect(give({ key: 'another' })).rejects.toMatchObject({ code: 'NOT_ASKING' })
  expect(await core.store.audits({ taskId: id, kind })).toHaveLength(1)
})
