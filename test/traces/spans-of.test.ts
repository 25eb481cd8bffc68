import { expect, test } from 'vitest'
import { asRunId, asTaskId } from '../../src/domain/names/ids.ts'
import { runSpan, taskSpan, toolSpan } from '../../src/traces/spans-of.ts'
import { NOON } from '../builders/ids.ts'
import { aRun } from '../builders/run.ts'
import { aTask } from '../builders/task.ts'

const SECRET = 'what nobody is to see'
const task = aTask({
  agent: 'claude',
  model: 'opus',
  title: SECRET,
  name: SECRET,
  reason: SECRET,
  tokensIn: 7,
  tokensOut: 3,
  snapshot: { prompt: SECRET },
})
const root = { root: task, parent: null }
const life = { number: 0, from: NOON, to: NOON + 1000, status: 'failed' } as const
const run = aRun({ lastWords: SECRET, told: SECRET, result: { ok: false, text: SECRET }, endedAt: NOON + 10 })
const step = { tool: 'Bash', detail: SECRET, ok: false, call: 'call-1', at: NOON, endedAt: NOON + 5 }

test('spans have the names for generative AI, and nothing of what was said, read or written', () => {
  const [ofTask, ofRun, ofTool] = [
    taskSpan(task, root, life),
    runSpan({ ...run, state: 'exited', exitCode: 1 }, task, root, 0),
    toolSpan(step, run.id, task, root),
  ]
  expect(JSON.stringify([ofTask, ofRun, ofTool])).not.toContain(SECRET)
  expect(ofTask).toMatchObject({
    error: 'failed',
    attributes: {
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.system': 'anthropic',
      'gen_ai.request.model': 'opus',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 3,
    },
  })
  expect(ofRun).toMatchObject({
    name: 'invoke_agent claude',
    error: 'exit_code',
    parentSpanId: ofTask.spanId,
  })
  expect(ofTool).toMatchObject({
    name: 'execute_tool Bash',
    error: 'tool_error',
    parentSpanId: ofRun.spanId,
    attributes: { 'gen_ai.tool.name': 'Bash', 'gen_ai.tool.call.id': 'call-1' },
  })
})

test('ids are as long as the format wants them, the same each time, and others for another life, run or home', () => {
  const one = taskSpan(task, root, life)
  expect(one.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(one.spanId).toMatch(/^[0-9a-f]{16}$/)
  expect(taskSpan(aTask({ ...task }), root, life)).toEqual(one)
  expect(taskSpan(task, root, { ...life, number: 1 }).spanId).not.toBe(one.spanId)
  const elsewhere = { ...task, createdAt: task.createdAt + 1 }
  expect(taskSpan(elsewhere, { root: elsewhere, parent: null }, life).traceId).not.toBe(one.traceId)
  const runs = ['a', 'b'].map((id) => runSpan({ ...run, id: asRunId(id) }, task, root, 0).spanId)
  expect(new Set(runs).size).toBe(2)
})

test('a child is below the life of its parent that started it; its trace is that of the first ancestor', () => {
  const child = aTask({ id: asTaskId('child'), parentId: task.id })
  const span = taskSpan(child, { root: task, parent: { task, life: 1 } }, life)
  expect(span.parentSpanId).toBe(taskSpan(task, root, { ...life, number: 1 }).spanId)
  expect(span.traceId).toBe(taskSpan(task, root, life).traceId)
})

test.each([
  ['opencode', 'openrouter/some-model', 'openrouter'],
  ['pi', 'some-model', undefined],
  ['codex', null, 'openai'],
])('%s with model %s is a provider only where that is known: %s', (agent, model, provider) => {
  expect(taskSpan(aTask({ agent, model }), root, life).attributes['gen_ai.provider.name']).toBe(provider)
})
