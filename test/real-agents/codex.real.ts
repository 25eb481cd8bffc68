import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { codexDriver } from '../../src/agents/codex/driver.ts'
import { resetTime } from '../../src/domain/recovery/reset-time.ts'
import type { AgentSays } from '../../src/ports/run/agent-driver.ts'
import { type Outcome, useLab } from './lab.ts'

const lab = useLab()
const run = (request: Parameters<typeof lab.request>[0]) => lab.runPlan(codexDriver, lab.request(request))
const inProject = (name: string) => join(lab.project, name)

const of = <K extends AgentSays['kind']>({ says }: Pick<Outcome, 'says'>, kind: K) =>
  says.filter((one): one is Extract<AgentSays, { kind: K }> => one.kind === kind)
const sessionOf = (outcome: Pick<Outcome, 'says'>) => of(outcome, 'session')[0]?.id ?? ''
const endOf = (outcome: Outcome) => of(outcome, 'finished')

test('a task is done: a file written, its session told, its tokens counted, nothing unknown', async () => {
  const outcome = await run({ prompt: 'DO:write{made.txt}' })
  expect(outcome).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(inProject('made.txt'), 'utf8')).toBe('written by the lab\n')
  expect(sessionOf(outcome)).toMatch(codexDriver.sessionIdPattern)
  expect(of(outcome, 'tool_ended')).toMatchObject([{ tool: 'shell', ok: true }])
  expect(of(outcome, 'said').at(-1)?.text).toBe('The work is done.')
  expect(of(outcome, 'usage')).toMatchObject([{ tokensIn: 200, tokensOut: 20 }])
  expect(endOf(outcome)).toEqual([{ kind: 'finished', ok: true, text: '' }])
  expect(of(outcome, 'unknown')).toEqual([])
  expect(lab.strays()).toEqual([])
})

test.each([
  ['http{500}', 'transient'],
  ['http{529}', 'transient'],
  ['drop', 'transient'],
  ['badkey', 'permanent'],
  ['http{400}', 'permanent'],
  ['http{404}', 'permanent'],
] as const)('%s is the failure of a run: %s', async (directive, failure) => {
  const outcome = await run({ prompt: `DO:${directive}` })
  expect(endOf(outcome)).toEqual([{ kind: 'finished', ok: false, text: expect.stringMatching(/./), failure }])
  expect(outcome.code).toBe(1)
})

test('a failure that passes ends well', async () => {
  const outcome = await run({ prompt: 'DO:http{500:1}' })
  expect(endOf(outcome)).toMatchObject([{ ok: true }])
})

test.each([3600, 3 * 86_400])('a usage limit of %d s is seen as one, with its end', async (seconds) => {
  const before = Date.now()
  const outcome = await run({ prompt: `DO:usage{${seconds}}` })
  const until = resetTime(of(outcome, 'limited')[0]?.resets ?? '', before)
  expect(endOf(outcome)).toMatchObject([{ ok: false, failure: 'limit' }])
  expect(until).toBeGreaterThanOrEqual(before + seconds * 1000)
  expect(until).toBeLessThanOrEqual(Date.now() + seconds * 1000 + 61_000)
})

test('killed in the middle of a tool, it goes on by its id and knows what came before', async () => {
  const request = lab.request({ prompt: 'First DO:shell{sleep 600}', persona: 'You are the keeper.' })
  const killed = await lab.runPlan(codexDriver, request, { killWhen: ({ kind }) => kind === 'tool_began' })
  expect(endOf(killed)).toEqual([])
  const resumed = await run({
    prompt: 'DO:text{back}',
    persona: 'You are the keeper.',
    resume: sessionOf(killed),
  })
  expect(sessionOf(resumed)).toBe(sessionOf(killed))
  expect(endOf(resumed)).toMatchObject([{ ok: true }])
  const turns =
    lab
      .requests()
      .at(-1)
      ?.turns.map(({ role, text }) => `${role}: ${text}`) ?? []
  expect(turns).toContain('user: First DO:shell{sleep 600}')
  expect(turns.join('\n')).toContain('call: exec_command {"cmd":"sleep 600"')
  expect(lab.requests().at(-1)?.system.split('You are the keeper.')).toHaveLength(2)
})

test('a resumed session tells the tokens of all its runs, so they must not be added up', async () => {
  const first = await run({ prompt: 'DO:text{one}' })
  const second = await run({ prompt: 'DO:text{two}', resume: sessionOf(first) })
  expect(of(first, 'usage')).toMatchObject([{ tokensIn: 100, cumulative: true }])
  expect(of(second, 'usage')).toMatchObject([{ tokensIn: 200, cumulative: true }])
})

test('an unknown session is a permanent failure, and no new session', async () => {
  const outcome = await run({ resume: '00000000-0000-4000-8000-000000000000' })
  expect(outcome).toMatchObject({ code: 1, says: [] })
  expect(codexDriver.readStderr(outcome.stderr)).toBe('permanent')
  expect(codexDriver.lostSession!(outcome.stderr)).toBe(true)
  expect(lab.requests()).toEqual([])
})

test('settings that it cannot read are a permanent failure', async () => {
  appendFileSync(join(lab.home, '.codex/config.toml'), '\nmodel = [')
  const outcome = await run({})
  expect(outcome).toMatchObject({ code: 1, says: [] })
  expect(codexDriver.readStderr(outcome.stderr)).toBe('permanent')
})

test('persona and model arrive, whatever they contain', async () => {
  const persona = 'You\'re "the \\ keeper"\n\tof $(things) = [1] \x7f 🙂'
  await run({ prompt: 'DO:text{ok}', persona, model: 'other-model' })
  expect(lab.requests().at(-1)?.model).toBe('other-model')
  expect(lab.requests().at(-1)?.system).toContain(persona)
})

const hostile = [
  '!touch pwned',
  '/quit',
  'look at @word',
  'a\x1b[201~b',
  '--help',
  `${'long '.repeat(60_000)}end`,
]
test.each(hostile.map((prompt) => ({ start: JSON.stringify(prompt.slice(0, 20)), prompt })))(
  'the prompt $start arrives as it is, and nothing is executed',
  async ({ prompt }) => {
    await run({ prompt })
    expect(
      lab
        .requests()
        .at(-1)
        ?.turns.findLast(({ role }) => role === 'user')?.text,
    ).toBe(prompt)
    expect(existsSync(inProject('pwned'))).toBe(false)
  },
)

test.each(['read', 'full'] as const)(
  "with permission %s an MCP server's tool is called, beside the user's own",
  async (permission) => {
    const own = `\n[mcp_servers.own]\ncommand = "${lab.mcpServer.command}"\nargs = ["${lab.mcpServer.args[0]}"]\n`
    appendFileSync(join(lab.home, '.codex/config.toml'), own)
    const outcome = await run({
      prompt: 'DO:mcp{lab_ping}',
      mcp: [{ ...lab.mcpServer, name: 'ours' }],
      permission,
    })
    expect(lab.requests()[0]?.tools.filter((name) => name === 'lab_ping')).toHaveLength(2)
    expect(of(outcome, 'tool_ended')).toMatchObject([
      { tool: 'ours.lab_ping', ok: true, detail: expect.stringContaining('pong') },
    ])
  },
)

test('an MCP server of ours is told which run it serves', async () => {
  const seen = join(lab.home, 'server-env')
  const script = `require('fs').writeFileSync('${seen}', process.env.HOLDFAST_RUN ?? ''); import('${lab.mcpServer.args[0]}')`
  await run({ prompt: 'DO:mcp{lab_ping}', mcp: [{ ...lab.mcpServer, name: 'lab', args: ['-e', script] }] })
  expect(readFileSync(seen, 'utf8')).toMatch(/^[0-9a-f-]{36}$/)
})

const outside = () => {
  const dir = mkdtempSync('/var/tmp/hf-codex-')
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('permission read refuses a write, also in a resumed session', async () => {
  const first = await run({ prompt: 'DO:write{no.txt}', permission: 'read' })
  await run({ prompt: 'DO:write{no.txt}', permission: 'read', resume: sessionOf(first) })
  expect(endOf(first)).toMatchObject([{ ok: true }])
  expect(existsSync(inProject('no.txt'))).toBe(false)
})

test('permission edit writes to its directory and the extra ones, also when resumed, and nowhere else', async () => {
  const [extra, other] = [outside(), outside()]
  const permitted = { permission: 'edit', extraDirs: [extra] } as const
  const first = await run({ ...permitted, prompt: `DO:shell{touch in.txt ${extra}/one; touch ${other}/no}` })
  await run({
    ...permitted,
    prompt: `DO:shell{touch ${extra}/two; touch ${other}/no}`,
    resume: sessionOf(first),
  })
  expect(existsSync(inProject('in.txt'))).toBe(true)
  expect(['one', 'two'].map((name) => existsSync(join(extra, name)))).toEqual([true, true])
  expect(existsSync(join(other, 'no'))).toBe(false)
})

test('by default it does what its settings say: here it writes, and where nobody trusts the directory it does not', async () => {
  await run({ prompt: 'DO:write{trusted.txt}' })
  const config = join(lab.home, '.codex/config.toml')
  writeFileSync(config, readFileSync(config, 'utf8').replace('trust_level = "trusted"', ''))
  await run({ prompt: 'DO:write{untrusted.txt}' })
  expect(existsSync(inProject('trusted.txt'))).toBe(true)
  expect(existsSync(inProject('untrusted.txt'))).toBe(false)
})

test('permission full writes anywhere', async () => {
  const other = outside()
  await run({ prompt: `DO:shell{touch ${other}/yes}`, permission: 'full' })
  expect(existsSync(join(other, 'yes'))).toBe(true)
})
