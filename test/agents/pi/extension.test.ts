import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { piExtension } from '../../../src/agents/pi/extension.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { waitFor } from '../../helpers/wait-for.ts'

type Handler = (event: object, ctx: object) => void

/** Loads it as Pi does; what Pi does with it is tested with the real one in test/real-agents. */
async function load(inputName: string | null = 'in.jsonl') {
  const dir = tempDir()
  const [eventsFile, input] = [join(dir, 'events.jsonl'), join(dir, inputName ?? 'none')]
  for (const file of [eventsFile, input]) writeFileSync(file, '')
  const module = join(dir, 'holdfast.mjs')
  writeFileSync(module, piExtension({ eventsFile, inputFile: inputName && input }))
  const { default: extension } = await import(pathToFileURL(module).href)
  const sent: unknown[] = []
  const state = { isIdle: true }
  const ctx = { isIdle: () => state.isIdle, sessionManager: { getSessionId: () => 'a-session' } }
  const start = () => {
    const handlers: [string, Handler][] = []
    extension({
      on: (name: string, handler: Handler) => handlers.push([name, handler]),
      sendUserMessage: (...message: unknown[]) => sent.push(message),
    })
    const emit = (type: string, event: object = {}, more: object = {}) => {
      for (const [name, handler] of handlers)
        if (name === type) handler({ type, ...event }, { ...ctx, ...more })
    }
    onTestFinished(() => emit('session_shutdown'))
    return emit
  }
  onTestFinished(() => void Reflect.deleteProperty(globalThis, Symbol.for('holdfast')))
  const told = () =>
    readFileSync(eventsFile, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const say = (text: string) => appendFileSync(input, text)
  return { start, told, sent, state, say, dir, eventsFile }
}

const prompt = (message: string) => `${JSON.stringify({ id: 'hf-1', type: 'prompt', message })}\n`

test('lines are taken once each, in order, whole, and only when Pi is idle', async () => {
  const { start, sent, state, say } = await load()
  const emit = start()
  say(prompt('written before it listened'))
  emit('session_start', { reason: 'startup' })
  await waitFor('the first', () => sent.length === 1)
  state.isIdle = false
  say(`garbage\n{"type":"future"}\n${prompt('two')}${prompt('thrée').slice(0, 25)}`)
  emit('session_shutdown')
  const reloaded = start()
  reloaded('session_start', { reason: 'reload' })
  state.isIdle = true
  await waitFor('the second', () => sent.length === 2)
  say(prompt('thrée').slice(25))
  await waitFor('the third', () => sent.length === 3)
  expect(sent).toEqual(
    ['written before it listened', 'two', 'thrée'].map((text) => [text, { deliverAs: 'followUp' }]),
  )
})

test("our prompt is told by its name, whatever became of its words, and the next one is a person's", async () => {
  const { start, told, sent, say } = await load()
  const emit = start()
  emit('session_start', { reason: 'reload' })
  say(prompt('ours'))
  await waitFor('the prompt', () => sent.length === 1)
  for (const content of ['ours, changed', 'by hand'])
    emit('message_end', { message: { role: 'user', content } })
  expect(told()).toMatchObject([
    { id: 'hf-1', message: { content: [{ text: 'ours, changed' }] } },
    { message: { content: [{ text: 'by hand' }] } },
  ])
  expect(told()[1]).not.toHaveProperty('id')
})

test('nothing it meets makes it fail: it would take the agent down, or block its tools', async () => {
  const { start, told, eventsFile } = await load()
  const emit = start()
  const circular: Record<string, unknown> = {}
  circular.self = circular
  emit('tool_execution_start', { toolName: 'x', args: circular })
  writeFileSync(eventsFile, '')
  emit('tool_call', {})
  emit('tool_execution_end', { toolName: 'x', isError: true })
  expect(told()).toHaveLength(2)
})

const end = (toolCallId: string, isError: boolean) => ({ toolCallId, toolName: 'bash', result: {}, isError })

test('blocked is what was called, gave no result, and ended with an error nobody interrupted', async () => {
  const { start, told } = await load(null)
  const emit = start()
  for (const toolCallId of ['ran', 'failed', 'blocked', 'aborted']) emit('tool_call', { toolCallId })
  for (const toolCallId of ['ran', 'failed']) emit('tool_result', { toolCallId })
  emit('tool_execution_end', end('ran', false))
  emit('tool_execution_end', end('failed', true))
  emit('tool_execution_end', end('never called', true))
  emit('tool_execution_end', end('aborted', true), { signal: AbortSignal.abort() })
  expect(told()).toEqual([])
  emit('tool_execution_end', end('blocked', true))
  expect(told()).toEqual([{ type: 'holdfast_blocked', toolName: 'bash', result: {} }])
})

test('an answer that was stopped says so, whatever it is called', async () => {
  const { start, told } = await load()
  const message = { role: 'assistant', content: [], stopReason: 'error', errorMessage: 'aborted' }
  start()('message_end', { message }, { signal: AbortSignal.abort() })
  expect(told().at(-1)).toMatchObject({ type: 'message_end', message: { stopReason: 'aborted' } })
})

test('each turn ends with the last message of the model, and never with an earlier one', async () => {
  const { start, told } = await load()
  const emit = start()
  const content = [
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'so' },
  ]
  emit('message_end', { message: { role: 'assistant', content, stopReason: 'stop' } })
  emit('agent_settled')
  emit('agent_settled')
  const last = {
    role: 'assistant',
    content: [{ type: 'thinking' }, { type: 'text', text: 'so' }],
    stopReason: 'stop',
  }
  expect(told()).toEqual([
    { type: 'session', id: 'a-session' },
    { type: 'message_end', message: last },
    { type: 'holdfast_settled', message: last },
    { type: 'holdfast_settled', message: { stopReason: 'no answer' } },
  ])
})
