import { expect, test } from 'vitest'
import { moveTask } from '../../../src/changes/move-task.ts'
import { endConversation, sendPrompt } from '../../../src/delivery/inputs/send-prompt.ts'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { conversationDesk } from '../../../src/supervisor/desk/messages/conversation.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { watchTask } from '../../../src/supervisor/task/watch-task.ts'
import { aScreenSeen } from '../../builders/screen-seen.ts'
import { startCore } from '../../helpers/core-world.ts'
import { storeLaunch } from '../../helpers/stored-launch.ts'

async function terminalRun() {
  const { core, request } = await startCore()
  const task = await createTask({ ...request('x'), mode: 'interactive' }, mergeConfig([]).config, core)
  const runId = asRunId('run-1')
  await storeLaunch(task.id, runId, core)
  const watch = await watchTask(task.id, runId, core)
  return { core, task, watch }
}

test('a prompt for an agent whose screen has come to rest makes it be looked at again', async () => {
  const { core, task, watch } = await terminalRun()
  watch.screen = aScreenSeen({ looks: 100, rested: true })
  const input = await sendPrompt(task, 'more', 'me', core)
  expect(input).toMatchObject({ number: 1, kind: 'prompt', text: 'more', saidAt: null })
  expect(watch.screen).toBeNull()
  watch.stopWatching()
})

test('the longest prompt is that of the task’s project: for what is sent, and for what it is resumed with', async () => {
  const { core, request, supervisor } = await startCore()
  const content = { 'trigger.maxBytes': 10, 'prompt.maxBytes': 20 }
  const { config } = mergeConfig([{ file: 'project.yaml', approval: 'new', content }])
  const task = await createTask({ ...request('x'), mode: 'interactive' }, config, core)
  const refused = (most: number) => ({
    code: 'PROMPT_TOO_LARGE',
    message: `The prompt is longer than ${most} bytes.`,
  })
  await expect(sendPrompt(task, 'x'.repeat(11), 'me', core)).rejects.toMatchObject(refused(10))
  const desk = conversationDesk(supervisor.orders, core)
  expect(desk.checkPrompt('x'.repeat(20), task)).toBe('x'.repeat(20))
  expect(() => desk.checkPrompt('x'.repeat(21), task)).toThrow(expect.objectContaining(refused(20)))
})

test('an agent in its terminal is left there, not ended by word', async () => {
  const { core, task, watch } = await terminalRun()
  await expect(endConversation(task, 'me', core)).rejects.toMatchObject({
    code: 'AGENT_CANNOT',
    message: `${task.id} works in a terminal: it stays open after its last prompt, until you finish or kill it.`,
    waysOut: [
      { do: 'finish', id: task.id },
      { do: 'kill', id: task.id },
    ],
  })
  watch.stopWatching()
})

test('an agent that takes no further prompts is not told that none come: it ends by itself', async () => {
  const { core, request } = await startCore()
  const task = await createTask(request('x'), mergeConfig([]).config, core)
  await expect(endConversation(task, 'me', core)).rejects.toMatchObject({
    code: 'AGENT_CANNOT',
    message: `${task.id} takes no further prompts anyway: it ends by itself when its work is done.`,
    waysOut: [{ do: 'kill', id: task.id }],
  })
})

test.each([
  ['pending', 'When it has ended, it can be resumed with one.', 'kill'],
  ['completed', 'It has ended, and can be resumed with one.', 'resume'],
] as const)('one that takes no further prompts, and is %s, says: %s', async (status, says, way) => {
  const { core, request } = await startCore()
  const task = await createTask(request('x'), mergeConfig([]).config, core)
  await expect(sendPrompt({ ...task, status } as typeof task, 'more', 'me', core)).rejects.toMatchObject({
    code: 'AGENT_CANNOT',
    message: expect.stringContaining(says),
    waysOut: [{ do: way, id: task.id }],
  })
})

test('nothing is sent to a task that has ended', async () => {
  const { core, task, watch } = await terminalRun()
  await core.store.commit({
    task: moveTask({ id: task.id, from: 'running', event: 'failed', reason: '', evidence: [], at: 2 }),
  })
  await expect(sendPrompt(task, 'more', 'me', core)).rejects.toMatchObject({ code: 'TASK_NOT_ACTIVE' })
  watch.stopWatching()
})
