import { appendFileSync, rmSync, truncateSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sayInput } from '../../../src/changes/say-input.ts'
import { sendPrompt } from '../../../src/delivery/inputs/send-prompt.ts'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { readRun } from '../../../src/supervisor/reading/read-run.ts'
import type { CreateRequest } from '../../../src/supervisor/starting/create-request.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { watchTask } from '../../../src/supervisor/task/watch-task.ts'
import { startCore } from '../../helpers/core-world.ts'
import { storeLaunch } from '../../helpers/stored-launch.ts'

/** A run whose event lines the test writes, on real store and files. */
async function talkingRun(over: Partial<CreateRequest> = {}) {
  const { core, home, request } = await startCore()
  const task = await createTask({ ...request('x'), ...over }, mergeConfig([]).config, core)
  const runId = asRunId('run-1')
  await storeLaunch(task.id, runId, core)
  const files = { argv: ['true'], cwd: task.dir, hearing: 'once' as const, stdin: '', files: [], env: {} }
  const { outputLog, view } = core.handoff.paths(task)
  await core.runFiles.prepare({ runId, taskId: task.id, ...files, outputLog, sessionDir: view })
  const watch = await watchTask(task.id, runId, core)
  const say = async (...events: object[]) => {
    appendFileSync(
      `${home.run(runId)}/events.jsonl`,
      events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    )
    await readRun(watch, null, core)
  }
  return { core, home, watch, say, stop: watch.stopWatching }
}

test('a tool used after the result voids it, a farewell does not', async () => {
  const { watch, say, stop } = await talkingRun()
  const result = { type: 'result', ok: true, text: 'done', session_id: 'abcd-1234' }
  await say({ type: 'say', text: 'working' }, result)
  expect(watch.run.result).toEqual({ ok: true, text: 'done' })
  await say({ type: 'say', text: 'goodbye' })
  expect(watch.run).toMatchObject({ result: { ok: true }, lastWords: 'goodbye' })
  await say({ type: 'tool_start', tool: 'sh', detail: 'ls' })
  expect(watch.run.result).toBeNull()
  stop()
})

test('a session that is told again and again is shown once', async () => {
  const { watch, say, stop } = await talkingRun()
  await say({ type: 'session', id: 'abcd-1234' }, { type: 'session', id: 'abcd-1234' })
  await say({ type: 'session', id: 'abcd-1234' })
  expect(watch.task.sessionId).toBe('abcd-1234')
  expect(watch.run.outputLength).toBe('session: abcd-1234\n'.length)
  stop()
})

test('what it may be waiting for is known from its words, and no longer when words were lost', async () => {
  const { core, home, watch, say, stop } = await talkingRun()
  expect(watch.openWork).toEqual({ tools: 0, request: true })
  await say({ type: 'say', text: 'working' }, { type: 'tool_start', tool: 'sh', detail: 'ls' })
  expect(watch.openWork).toEqual({ tools: 1, request: false })
  await say({ type: 'tool_end', tool: 'sh', detail: 'ls', ok: true })
  expect(watch.openWork).toEqual({ tools: 0, request: true })
  truncateSync(`${home.run(watch.run.id)}/events.jsonl`)
  await readRun(watch, null, core)
  expect(watch.openWork).toBeNull()
  stop()
})

test('an event file deleted before anything was read proves nothing, and is noted once', async () => {
  const { core, home, watch, stop } = await talkingRun()
  rmSync(`${home.run(watch.run.id)}/events.jsonl`)
  await readRun(watch, core.clock.now(), core)
  await readRun(watch, core.clock.now(), core)
  expect(watch.run).toMatchObject({ eventsLost: 1, unknownLines: 0 })
  stop()
})

test('a marker in the words with which a turn ends acknowledges its trigger before it is done', async () => {
  const { core, watch, say, stop } = await talkingRun({ converse: true })
  const { triggerId } = await sendPrompt(watch.task, 'read', 'ann', core, { thread: 'th_01JXYZ' })
  const inputs = await core.store.inputs(watch.task.id)
  for (const input of inputs)
    await core.commit({ say: sayInput(input, { runId: watch.run.id, at: 1, written: null }) })
  for (const { number } of inputs.slice(0, -1)) {
    await say({ type: 'heard', ref: `hf-${number}` }, { type: 'result', ok: true, text: 'done' })
  }
  const last = { type: 'result', ok: true, text: `ACK_TRIGGER:${triggerId}` }
  await say({ type: 'heard', ref: `hf-${inputs.length}` }, last)
  const steps = await core.store.triggerSteps(triggerId)
  expect(steps.map(({ state }) => state)).toEqual(['queued', 'typed', 'submitted', 'acknowledged', 'done'])
  expect(await core.store.trigger(triggerId)).toMatchObject({ ackBy: 'marker' })
  stop()
})
