// An agent's own transcript becomes event lines of its run: each line once, whatever happens to the daemon in between.
import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codexDriver } from '../../../src/agents/codex/driver.ts'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { copyTranscript } from '../../../src/supervisor/task/copy-transcript.ts'
import { watchTask } from '../../../src/supervisor/task/watch-task.ts'
import { startCore } from '../../helpers/core-world.ts'
import { storeLaunch } from '../../helpers/stored-launch.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const SESSION = '01a1e782-ce1f-7ff3-b8ee-4f30fdcbbc25'

async function runWithTranscript() {
  const { core, clock, home, request } = await startCore()
  const codexHome = tempDir()
  const dir = join(codexHome, 'sessions/2026/11/17')
  mkdirSync(dir, { recursive: true })
  const file = join(dir, `rollout-2026-11-17T03-17-51-${SESSION}.jsonl`)
  const asked = { ...request('x'), setEnv: { CODEX_HOME: codexHome } }
  const { id } = await createTask(asked, mergeConfig([]).config, core)
  const runId = asRunId('run-1')
  await storeLaunch(id, runId, core)
  const task = (await core.store.task(id))!
  const files = { argv: ['true'], cwd: task.dir, hearing: 'terminal' as const, stdin: '', files: [], env: {} }
  const { outputLog, view } = core.handoff.paths(task)
  await core.runFiles.prepare({ runId, taskId: id, ...files, outputLog, sessionDir: view })
  const watch = await watchTask(id, runId, core)
  watch.stopWatching()
  watch.task = { ...watch.task, mode: 'interactive', sessionId: SESSION }
  const events = `${home.run(runId)}/events.jsonl`
  return {
    watch,
    file,
    events,
    copy: () => copyTranscript(watch, codexDriver, core),
    line: (text: string, sinceMs = 1) => lineAt(clock.now() + sinceMs, text),
    said: () =>
      readFileSync(events, 'utf8')
        .split('\n')
        .flatMap(codexDriver.readEvent)
        .flatMap((said) => (said.kind === 'said' ? [said.text] : [])),
  }
}

function lineAt(ms: number, text: string): string {
  const item = { type: 'AgentMessage', content: [{ type: 'Text', text }] }
  const payload = { type: 'item_completed', item }
  return `${JSON.stringify({ timestamp: new Date(ms).toISOString(), type: 'event_msg', payload })}\n`
}

test('only what was written since the run began is copied, each line once', async () => {
  const { file, copy, line, said } = await runWithTranscript()
  expect(await copy()).toBe(false)
  appendFileSync(file, line('of an earlier run', -60_000) + line('one'))
  expect(await copy()).toBe(true)
  expect(await copy()).toBe(false)
  appendFileSync(file, line('two'))
  await copy()
  expect(said()).toEqual(['one', 'two'])
})

test('half a line waits for its other half', async () => {
  const { file, copy, line, said } = await runWithTranscript()
  const whole = line('whole')
  appendFileSync(file, whole.slice(0, 20))
  await copy()
  expect(said()).toEqual([])
  appendFileSync(file, whole.slice(20))
  await copy()
  expect(said()).toEqual(['whole'])
})

test('the next daemon goes on where the last one was, also behind a line that it tore', async () => {
  const { watch, file, events, copy, line, said } = await runWithTranscript()
  appendFileSync(file, line('one') + line('two'))
  await copy()
  truncateSync(events, readFileSync(events).length - 10)
  watch.copied = null
  appendFileSync(file, line('three'))
  await copy()
  watch.copied = null
  await copy()
  expect(said()).toEqual(['one', 'two', 'three'])
})

test('a transcript that is gone, or no file at all, is passed over', async () => {
  const { file, copy, line, said } = await runWithTranscript()
  appendFileSync(file, line('one'))
  rmSync(file)
  expect(await copy()).toBe(false)
  mkdirSync(file)
  expect(await copy()).toBe(false)
  expect(said()).toEqual([])
})
