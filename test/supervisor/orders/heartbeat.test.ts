import { expect, test } from 'vitest'
import { moveTask } from '../../../src/changes/move-task.ts'
import { sayInput } from '../../../src/changes/say-input.ts'
import { sendPrompt } from '../../../src/delivery/inputs/send-prompt.ts'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { heartbeat } from '../../../src/supervisor/orders/heartbeat.ts'
import { startCoreInTime } from '../../helpers/core-in-time.ts'
import { MemoryAgent } from '../../helpers/memory-agent.ts'

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

test('a prompt that came in the middle of a turn is acknowledged by a heartbeat of the next turn, not of that one', async () => {
  const world = await startCoreInTime()
  const { core, clock, creates, task } = world
  const id = await creates('first', { mode: 'interactive' })
  const agent = new MemoryAgent(world, id)
  await world.agentStarts(id)
  await clock.passUntil('its turn', () => agent.heard.length === 1)
  await clock.pass(10_000)
  const { triggerId } = await sendPrompt(await task(id), 'second', 'ann', core, { thread: 'th_01JXYZ' })
  const trigger = async () => (await core.store.trigger(triggerId))!
  const { run } = core.watched.get(id)!
  const { number } = await trigger()
  // As an agent takes a prompt while it works: it has it, and its turn goes on.
  await core.commit({ say: sayInput(await trigger(), { runId: run.id, at: clock.now(), written: null }) })
  const unread = { unknownLines: 0, tokensIn: 0, tokensOut: 0, costUsd: 0, outputLength: run.outputLength }
  const offsets = { fromOffset: run.eventsOffset, offset: run.eventsOffset }
  await core.commit({ reading: { taskId: id, runId: run.id, ...offsets, ...unread, heard: [number] } })
  expect(await trigger()).toMatchObject({ state: 'submitted', heardAt: clock.now() })
  const beats = async () =>
    heartbeat(await task(id), { kind: 'run', run: run.id, name: 'run' }, 'active', core)

  await beats()
  expect(await trigger()).toMatchObject({ state: 'submitted', ackBy: null })

  await clock.pass(1000)
  const next = { id, from: 'running', event: 'turn_began', reason: 'the next turn', evidence: [] } as const
  await core.commit({ task: moveTask({ ...next, at: clock.now() }) })
  await beats()
  expect(await trigger()).toMatchObject({ state: 'acknowledged', ackBy: 'heartbeat' })
})
