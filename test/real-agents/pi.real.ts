import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { piDriver } from '../../src/agents/pi/driver.ts'
import type { AgentSays } from '../../src/ports/run/agent-driver.ts'
import { chatDialect } from './chat-dialect.ts'
import { type Outcome, useLab } from './lab.ts'

const lab = useLab()
const ask = (prompt: string, more = {}) => lab.runPlan(piDriver, lab.request({ prompt, ...more }))
const endOf = ({ says }: Outcome) => says.findLast(({ kind }) => kind === 'finished')
const inProject = (name: string) => join(lab.project, name)

/** As a user may set them; by default it waits 2, 4 and 8 seconds. */
function retryQuickly() {
  const path = join(lab.home, '.pi/agent/settings.json')
  const settings = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...settings, retry: { baseDelayMs: 10 } }))
}

test('it writes a file, says so, and has the session id we chose', async () => {
  const request = lab.request({ prompt: 'DO:write{made.txt} DO:text{made it}' })
  const outcome = await lab.runPlan(piDriver, request)
  expect(readFileSync(inProject('made.txt'), 'utf8')).toBe('written by the lab\n')
  expect(outcome.says).toMatchObject([
    { kind: 'session', id: request.sessionId },
    { kind: 'usage' },
    { kind: 'tool_began', tool: 'write', detail: 'made.txt' },
    { kind: 'tool_ended', tool: 'write', ok: true },
    { kind: 'said', text: 'made it' },
    { kind: 'usage' },
    { kind: 'finished', ok: true, text: 'made it' },
  ])
  expect(outcome.code).toBe(0)
  expect(lab.strays()).toEqual([])
})

test.each([
  ['DO:http{500}', 'transient'],
  ['DO:http{529}', 'transient'],
  ['DO:drop', 'transient'],
  ['DO:http{429}', 'limit'],
  ['DO:badkey', 'permanent'],
  ['DO:http{404}', 'permanent'],
])('%s ends not ok and %s, although Pi exits with 0', async (prompt, failure) => {
  retryQuickly()
  const outcome = await ask(prompt)
  expect(outcome.says.filter(({ kind }) => kind === 'finished')).toMatchObject([{ ok: false, failure }])
  expect(outcome.code).toBe(0)
})

test('a failure that passes is only noted', async () => {
  retryQuickly()
  const outcome = await ask('DO:http{503:2}')
  expect(outcome.says.filter(({ kind }) => kind === 'note')).toHaveLength(2)
  expect(outcome.says.filter(({ kind }) => kind === 'finished')).toMatchObject([{ ok: true }])
})

test('a usage limit is told with the time of its end', async () => {
  retryQuickly()
  const before = Date.now()
  const { says } = await ask('DO:usage{7200}')
  const limits = says.filter((said) => said.kind === 'limited')
  expect(limits).toHaveLength(1)
  expect(limits[0]?.untilMs).toBeGreaterThanOrEqual(before + 7_200_000)
  expect(limits[0]?.untilMs).toBeLessThan(Date.now() + 7_202_000)
  expect(says.at(-1)).toMatchObject({ kind: 'finished', ok: false, failure: 'limit' })
})

test('killed in the middle of a tool, it goes on with what was said before', async () => {
  const first = lab.request({ prompt: 'The word is PINEAPPLE. DO:shell{sleep 600}' })
  const began = ({ kind }: AgentSays) => kind === 'tool_began'
  const killed = await lab.runPlan(piDriver, first, { killWhen: began })
  expect(killed.signal).toBe('SIGKILL')
  expect(endOf(killed)).toBeUndefined()

  const resumed = await ask('DO:text{gone on}', { resume: first.sessionId })
  expect(resumed.says[0]).toEqual({ kind: 'session', id: first.sessionId })
  expect(endOf(resumed)).toMatchObject({ ok: true, text: 'gone on' })
  const turns = lab.requests().at(-1)?.turns ?? []
  expect(turns.map(({ role }) => role)).toEqual(['user', 'call', 'tool', 'user'])
  expect(turns[0]?.text).toContain('PINEAPPLE')
  expect(turns[1]?.text).toContain('sleep 600')
})

test('killed before the model answered, there is nothing to resume, and no tool has begun', async () => {
  const first = lab.request({ prompt: 'DO:hang' })
  const killed = await lab.runPlan(piDriver, first, { killWhen: ({ kind }) => kind === 'session' })
  expect(killed.says).toMatchObject([{ kind: 'session' }])
  const resumed = await ask('Go on.', { resume: first.sessionId })
  expect(piDriver.lostSession!(resumed.stderr)).toBe(true)
})

test('an unknown session is refused before anything is asked', async () => {
  const outcome = await ask('Go on.', { resume: '00000000-0000-4000-8000-000000000000' })
  expect(outcome).toMatchObject({ code: 1, lines: [] })
  expect(piDriver.readStderr(outcome.stderr)).toBe('permanent')
  expect(lab.requests()).toEqual([])
})

test('an unknown model is refused before anything is asked', async () => {
  const outcome = await ask('Hello.', { model: 'no-such-model' })
  expect(outcome).toMatchObject({ code: 1, lines: [] })
  expect(piDriver.readStderr(outcome.stderr)).toBe('permanent')
  expect(lab.requests()).toEqual([])
})

test('a session of another directory is refused, although Pi exits with 0', async () => {
  const first = lab.request({ prompt: 'DO:text{here}' })
  await lab.runPlan(piDriver, first)
  const elsewhere = await ask('y', { resume: first.sessionId, dir: lab.home })
  expect(elsewhere).toMatchObject({ code: 0, lines: [] })
  expect(piDriver.readStderr(elsewhere.stderr)).toBe('permanent')
  expect(lab.requests()).toHaveLength(1)
})

test('a project that nobody has trusted does not keep it waiting', async () => {
  mkdirSync(inProject('.pi/extensions'), { recursive: true })
  writeFileSync(inProject('.pi/extensions/own.ts'), 'export default function () {}')
  expect(endOf(await ask('DO:text{done}'))).toMatchObject({ ok: true, text: 'done' })
})

test('persona and model arrive at the model', async () => {
  await ask('Hello.', { persona: 'You are a careful gardener.', model: 'lab/other-model' })
  expect(lab.requests()).toMatchObject([
    { model: 'other-model', system: expect.stringContaining('You are a careful gardener.') },
  ])
})

test.each(['!touch ran.txt', '/quit', 'look at @README', '--help', '@/etc/hostname', 'a \x1b[201~ b'])(
  'the prompt %j is only a prompt',
  async (prompt) => {
    expect(endOf(await ask(prompt))).toMatchObject({ ok: true })
    expect(lab.requests().map(({ turns }) => turns)).toEqual([[{ role: 'user', text: prompt }]])
    expect(existsSync(inProject('ran.txt'))).toBe(false)
  },
)

test('with permission to read it is offered no tool that changes anything', async () => {
  writeFileSync(inProject('note.txt'), 'the note')
  const outcome = await ask('DO:tool{read|{"path":"note.txt"}} DO:text{read it}', { permission: 'read' })
  expect(lab.requests()[0]?.tools.toSorted()).toEqual(['find', 'grep', 'ls', 'read'])
  expect(outcome.says).toContainEqual({ kind: 'tool_ended', tool: 'read', ok: true, detail: 'the note' })
})

test.each([
  ['write', { path: 'made.txt', content: 'x' }],
  ['edit', { path: 'made.txt', edits: [{ oldText: '', newText: 'x' }] }],
  ['bash', { command: 'touch made.txt' }],
])('with permission to read, %s is refused even to a model that calls it unasked', async (name, input) => {
  await using model = await insistOn(name, input)
  writeFileSync(join(lab.home, '.pi/agent/models.json'), model.config)
  const outcome = await ask('Whatever.', { permission: 'read' })
  expect(outcome.says).toContainEqual({
    kind: 'tool_ended',
    tool: name,
    ok: false,
    detail: `Tool ${name} not found`,
  })
  expect(existsSync(inProject('made.txt'))).toBe(false)
})

/** A model that calls a tool first and looks at what it was offered never. */
async function insistOn(name: string, input: unknown) {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    const answer =
      asked++ === 0
        ? ({ kind: 'call', tool: { name }, input } as const)
        : ({ kind: 'text', text: 'Well then.' } as const)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(chatDialect.frames(answer, 'lab-model', `lab${asked}`).join(''))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const models = [{ id: 'lab-model', name: 'lab-model', contextWindow: 128_000, maxTokens: 8192 }]
  const lab = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    api: 'openai-completions',
    apiKey: 'dummy-key',
    models,
  }
  return {
    config: JSON.stringify({ providers: { lab } }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
