import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { type ModelServer, startModelServer } from './model-server.ts'

const shell = { name: 'bash' }
type Api = { path: string; body(prompts: readonly string[], tools?: readonly { name: string }[]): object }

/** The same conversation, as each API wants it told. */
const apis: Record<string, Api> = {
  messages: {
    path: '/v1/messages',
    body: (prompts, tools = [shell]) => ({ tools, messages: fromUser(prompts), system: 'Be brief.' }),
  },
  responses: {
    path: '/v1/responses',
    body: (prompts, tools = [shell]) => ({
      tools: tools.map((tool) => ({ type: 'function', ...tool })),
      input: prompts.map((text) => ({ role: 'user', content: [{ type: 'input_text', text }] })),
      instructions: 'Be brief.',
    }),
  },
  chat: {
    path: '/v1/chat/completions',
    body: (prompts, tools = [shell]) => ({
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
      messages: [{ role: 'system', content: 'Be brief.' }, ...fromUser(prompts)],
    }),
  },
}
const each = Object.entries(apis)
const fromUser = (prompts: readonly string[]) => prompts.map((content) => ({ role: 'user', content }))

async function serve(): Promise<ModelServer> {
  const server = await startModelServer()
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

const post = ({ url }: ModelServer, path: string, body: object) =>
  fetch(url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer a-secret' },
    body: JSON.stringify({ model: 'some-model', ...body }),
  })

const ask = (server: ModelServer, { path, body }: Api, prompt: string, more: object = {}) =>
  post(server, path, { ...body([prompt]), ...more })

test.each(each)('%s: without a directive the prompt comes back', async (_, api) => {
  const server = await serve()
  expect(await (await ask(server, api, 'Good morning')).text()).toContain('ECHO: Good morning')
})

test.each(each)('%s: an answer can be streamed', async (_, api) => {
  const server = await serve()
  const response = await ask(server, api, 'DO:text{word by word}', { stream: true })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(await response.text()).toMatch(/^(event|data): [\s\S]*word by word[\s\S]*\n\n$/)
})

test('a trigger is acknowledged by its id, with a thread in its envelope or without', async () => {
  const server = await serve()
  for (const facts of ['id=trg_7', 'id=trg_7 thread=th_1']) {
    const answer = await ask(server, apis.chat!, `[BRIDGE_TRIGGER ${facts}]\nDO:ack\n[/BRIDGE_TRIGGER]`)
    expect(await answer.text()).toContain('"ACK_TRIGGER:trg_7"')
  }
})

test.each(each)('%s: a tool on offer is called with what it needs', async (_, api) => {
  const server = await serve()
  const streamed = await ask(server, api, 'DO:shell{echo {a,b}}', { stream: true })
  expect(await streamed.text()).toContain('echo {a,b}')
  expect(await (await ask(server, api, 'DO:shell{ls}')).text()).toMatch(/"bash"[\s\S]*ls/)
})

test.each(each)('%s: a tool that is not on offer is not called', async (_, api) => {
  const server = await serve()
  expect(await (await ask(server, api, 'DO:mcp{ping}')).text()).toContain('NO TOOL for ping among: bash')
})

test.each(each)('%s: a request without tools gets a title', async (_, { path, body }) => {
  const server = await serve()
  expect(await (await post(server, path, body(['DO:http{500}'], []))).text()).toContain('Lab title')
})

test.each(each)('%s: the log tells what was asked, but no key', async (_, api) => {
  const server = await serve()
  await post(server, api.path, api.body(['one', 'two']))
  const [request] = server.requests
  expect(request).toMatchObject({ seq: 1, path: api.path, model: 'some-model', tools: ['bash'] })
  expect(request?.system.trim()).toBe('Be brief.')
  expect(request?.turns).toEqual([
    { role: 'user', text: 'one' },
    { role: 'user', text: 'two' },
  ])
  expect(JSON.stringify(server.requests)).not.toContain('secret')
})

test.each(each)('%s: a refusal can be lasting, or pass after a number of times', async (_, api) => {
  const server = await serve()
  const statuses = async (prompt: string) => [
    (await ask(server, api, prompt)).status,
    (await ask(server, api, prompt)).status,
    (await ask(server, api, prompt)).status,
  ]
  expect(await statuses('DO:http{503}')).toEqual([503, 503, 503])
  expect(await statuses('DO:http{500:2}')).toEqual([500, 500, 200])
})

test.each(each)('%s: a bad key and a used-up account have their own errors', async (_, api) => {
  const server = await serve()
  const badKey = await ask(server, api, 'DO:badkey')
  expect([badKey.status, await badKey.text()]).toEqual([401, expect.stringMatching(/key/i)])
  const limit = await ask(server, api, 'DO:usage')
  expect([limit.status, await limit.text()]).toEqual([429, expect.stringMatching(/limit/)])
})

test.each(each)('%s: a connection can break before the answer, or within it', async (_, api) => {
  const server = await serve()
  await expect(ask(server, api, 'DO:drop')).rejects.toThrow('fetch failed')
  const broken = await ask(server, api, 'DO:dropmid', { stream: true })
  await expect(broken.text()).rejects.toThrow('terminated')
})

test.each(each)('%s: a silent model does not keep the server from closing', async (_, api) => {
  const server = await startModelServer()
  const streams = await ask(server, api, 'DO:slow{600}', { stream: true })
  const waits = expect(ask(server, api, 'DO:hang{600}')).rejects.toThrow('fetch failed')
  const breaks = expect(streams.text()).rejects.toThrow('terminated')
  await expect.poll(() => server.requests.length).toBe(2)
  await server[Symbol.asyncDispose]()
  await Promise.all([waits, breaks])
})

const called = { role: 'assistant', tool_calls: [{ function: { name: 'bash', arguments: '{}' } }] }
const result = { role: 'tool', content: 'as it was' }

test('directives are done one after the other, then it says that it is done', async () => {
  const server = await serve()
  const [user] = fromUser(['DO:shell{ls} DO:text{That was all.}'])
  const tools = [{ type: 'function', function: shell }]
  const after = async (...turns: object[]) =>
    (await post(server, '/v1/chat/completions', { tools, messages: [user, ...turns] })).text()
  expect(await after()).toContain('tool_calls')
  expect(await after(called, result)).toContain('That was all.')
  expect(await after(called, result, called, result)).toContain('The work is done.')
  expect(await after(called, result, ...fromUser(['And now?']))).toContain('ECHO: And now?')
})

test('what is for a wake-up is done then, one for each', async () => {
  const server = await serve()
  const { path, body } = apis.messages!
  const plan = 'DO:text{I listen.} DO:woken{DO:text{first {"a":{}}}} DO:woken{DO:text{second}}'
  const wakes = [
    '[BRIDGE_TRIGGER id=trg_1 thread=th_1]\nRead unread messages for thread th_1, continue.',
    'There is news of 2 sessions you started:',
    'Read unread messages for thread th_1',
  ]
  const answers = ['I listen.', 'first {\\"a\\":{}}', 'second', 'ECHO: Read']
  for (const [count, words] of answers.entries())
    expect(await (await post(server, path, body([plan, ...wakes.slice(0, count)]))).text()).toContain(words)
})

test('what an agent adds about its surroundings is not the prompt', async () => {
  const server = await serve()
  const reminder = '<system-reminder>DO:http{500}</system-reminder>'
  const { path, body } = apis.messages!
  for (const prompts of [
    ['Hi', reminder],
    [`Hi${reminder}`],
    ['Hi', '<environment_context>x</environment_context>'],
  ])
    expect(await (await post(server, path, body(prompts))).text()).toContain('ECHO: Hi"')
})

test('a tool is called with any JSON; bad JSON is refused with a reason', async () => {
  const server = await serve()
  const good = await ask(server, apis.messages!, 'DO:tool{bash|{"a":{"b":[1]}}}')
  expect(await good.json()).toMatchObject({ content: [{ name: 'bash', input: { a: { b: [1] } } }] })
  const bad = await ask(server, apis.messages!, 'DO:tool{bash|{a}}')
  expect([bad.status, await bad.text()]).toEqual([400, expect.stringContaining('JSON')])
})

test('tokens can be counted and models listed', async () => {
  const server = await serve()
  const counted = await post(server, '/v1/messages/count_tokens', {})
  expect(await counted.json()).toEqual({ input_tokens: 100 })
  expect(await (await fetch(`${server.url}/v1/models`)).text()).toContain('lab-model')
  expect(server.requests).toEqual([])
})

test('whoever wants to go elsewhere is refused and remembered', async () => {
  const server = await serve()
  expect((await fetch(`${server.url}/telemetry?x=1`)).status).toBe(404)
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')
  expect(await text(socket)).toContain('403')
  expect(server.strays).toEqual(['GET /telemetry?x=1', 'CONNECT example.com:443'])
})

test.each(each)('%s: a limit for a while is met until it is over, and then passed over', async (_, api) => {
  const server = await serve()
  const prompt = 'DO:limited{0.3} DO:text{after all}'
  expect((await ask(server, api, prompt)).status).toBe(429)
  expect((await ask(server, api, prompt)).status).toBe(429)
  await waitFor('the end of the limit', async () => (await ask(server, api, prompt)).status === 200)
  expect(await (await ask(server, api, prompt)).text()).toContain('after all')
})

test('a network that is down for a while cuts off, refuses, and is back at the same place', async () => {
  const server = await serve()
  const prompt = 'DO:offline{0.3} DO:text{after all}'
  await expect(ask(server, apis.chat!, prompt)).rejects.toThrow()
  await expect(ask(server, apis.chat!, prompt)).rejects.toThrow()
  const answer = await waitFor('its return', () => ask(server, apis.chat!, prompt).catch(() => undefined))
  expect(await answer.text()).toContain('after all')
})
