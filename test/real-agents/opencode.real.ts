import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { opencodeDriver } from '../../src/agents/opencode/driver.ts'
import type { AgentSays, LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { type Outcome, useLab } from './lab.ts'
import { failureOf } from './outcome.ts'

const opencode = opencodeDriver({ bridge: ['bridge'] })
const lab = useLab()
const run = (overrides: Partial<LaunchRequest>) => lab.runPlan(opencode, lab.request(overrides))
const inProject = (name: string) => join(lab.project, name)
const heard = ({ says }: Outcome, kind: AgentSays['kind']) => says.filter((said) => said.kind === kind)
const sessionOf = ({ says }: Pick<Outcome, 'says'>) => says.find((said) => said.kind === 'session')?.id
const FINISHED = { kind: 'finished', ok: true }

test('a turn with a file written is told step by step, and nobody but the model is asked', async () => {
  const outcome = await run({ prompt: 'DO:write{notes.txt}' })
  expect(existsSync(inProject('notes.txt'))).toBe(true)
  expect(outcome.says.map(({ kind }) => kind)).toEqual([
    ...['session', 'tool_began', 'tool_ended', 'usage'],
    ...['session', 'said', 'usage', 'finished'],
  ])
  expect(outcome.says).toContainEqual(
    expect.objectContaining({ kind: 'tool_ended', tool: 'write', ok: true }),
  )
  expect(outcome.says).toContainEqual({ kind: 'said', text: 'The work is done.' })
  expect(outcome.says).toContainEqual({ kind: 'usage', tokensIn: 100, tokensOut: 10, costUsd: 0 })
  expect(outcome.says.at(-1)).toMatchObject(FINISHED)
  expect(sessionOf(outcome)).toMatch(opencode.sessionIdPattern)
  expect(outcome.code).toBe(0)
  expect(lab.strays()).toEqual([])
})

test('a hostile prompt reaches the model byte by byte', async () => {
  const prompt = '!touch owned\n/exit\n--help "quoted" \x1b[201~ `touch owned` $(touch owned) @notes'
  await run({ prompt })
  expect(existsSync(inProject('owned'))).toBe(false)
  expect(lab.requests().flatMap(({ turns }) => turns)).toContainEqual({ role: 'user', text: prompt })
})

test('it works in the directory it was given, whatever PWD says', async () => {
  const request = lab.request({ prompt: 'DO:write{here.txt}' })
  await lab.runPlan(opencode, request, { env: { PWD: lab.home } })
  expect(existsSync(inProject('here.txt'))).toBe(true)
})

describe('failures', () => {
  test('a used-up limit is told with its end', async () => {
    const limited = await run({ prompt: 'DO:usage{7200}' })
    expect(failureOf(limited, opencode)).toBe('limit')
    expect(heard(limited, 'limited')).toEqual([
      { kind: 'limited', message: 'The usage limit has been reached', untilMs: expect.any(Number) },
    ])
  })

  test('a bad key needs a person', async () => {
    const outcome = await run({ prompt: 'DO:badkey' })
    expect(outcome.says.at(-1)).toMatchObject({ kind: 'finished', ok: false, failure: 'permanent' })
  })

  test('a model that nobody has needs a person', async () => {
    const outcome = await run({ model: 'lab/no-such-model' })
    expect(outcome.code).toBe(1)
    expect(failureOf(outcome, opencode)).toBe('permanent')
  })

  test('an option it does not know needs a person', async () => {
    const wrong = { ...opencode, launch: (request: LaunchRequest) => withFlag(opencode.launch(request)) }
    const outcome = await lab.runPlan(wrong, lab.request())
    expect(outcome.code).toBe(1)
    expect(failureOf(outcome, opencode)).toBe('permanent')
  })
})

describe('resume', () => {
  test('killed in the middle of a tool, it goes on with what it knew', async () => {
    const running = lab.start(opencode, lab.request({ prompt: 'DO:shell{touch began && sleep 600}' }))
    await waitFor('the tool', () => existsSync(inProject('began')), 60_000)
    const session = await running.until('its session id', ({ kind }) => kind === 'session')
    const killed = await running.kill()
    expect(heard(killed, 'finished')).toEqual([])
    if (session.kind !== 'session') throw new Error('no session')
    const resumed = await run({ resume: session.id, prompt: 'DO:text{back again}' })
    expect(resumed.says).toContainEqual({ kind: 'said', text: 'back again' })
    expect(sessionOf(resumed)).toBe(session.id)
    const turns = lab
      .requests()
      .at(-1)
      ?.turns.map(({ text }) => text)
    expect(turns).toContainEqual('DO:shell{touch began && sleep 600}')
    expect(turns?.at(-1)).toBe('DO:text{back again}')
  })

  test('a session that does not exist needs a person, and no other is begun', async () => {
    const outcome = await run({ resume: 'ses_000000000000AAAAAAAAAAAAAA' })
    expect(outcome.says).toEqual([])
    expect(failureOf(outcome, opencode)).toBe('permanent')
    expect(lab.requests()).toEqual([])
  })
})

describe('options', () => {
  test('persona and model arrive, and the user’s own instructions stay', async () => {
    const config = join(lab.home, '.config/opencode/opencode.json')
    writeFileSync(join(lab.home, 'house.md'), 'The rules of the house.')
    const own = { ...JSON.parse(readFileSync(config, 'utf8')), instructions: [join(lab.home, 'house.md')] }
    writeFileSync(config, JSON.stringify(own))
    await run({ persona: 'You are the *grafana* {env:HOME} validator.', model: 'lab/other-model' })
    const asked = lab.requests().find(({ tools }) => tools.length > 0)
    expect(asked?.model).toBe('other-model')
    expect(asked?.system).toContain('You are the *grafana* {env:HOME} validator.')
    expect(asked?.system).toContain('The rules of the house.')
  })

  test('the tool of an MCP server is called, also where only reading is allowed', async () => {
    const outcome = await run({ mcp: [lab.mcpServer], permission: 'read', prompt: 'DO:mcp{lab_ping}' })
    expect(outcome.says).toContainEqual(
      expect.objectContaining({ kind: 'tool_ended', ok: true, detail: expect.stringContaining('pong') }),
    )
  })

  test('read leaves no way to change anything, whatever the project allows', async () => {
    allowEverything()
    await run({ permission: 'read', prompt: 'DO:write{no.txt}' })
    expect(existsSync(inProject('no.txt'))).toBe(false)
    expect(
      lab
        .requests()
        .find(({ tools }) => tools.length > 0)
        ?.tools.toSorted(),
    ).toEqual([...['glob', 'grep', 'read', 'skill', 'todowrite', 'webfetch']])
  })

  test('edit changes files of its directories and of no other, and has no shell', async () => {
    allowEverything()
    const [extra, other] = ['extra', 'other'].map((name) => join(lab.home, name)) as [string, string]
    for (const dir of [extra, other]) mkdirSync(dir)
    const files = [inProject('yes.txt'), join(extra, 'yes.txt'), join(other, 'no.txt')]
    const prompt = files.map((file) => `DO:write{${file}}`).join(' ')
    const outcome = await run({ permission: 'edit', extraDirs: [extra], prompt })
    expect(files.map((file) => existsSync(file))).toEqual([true, true, false])
    expect(outcome.says.at(-1)).toMatchObject(FINISHED)
    expect(heard(outcome, 'tool_ended').at(-1)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/rule/),
    })
    expect(lab.requests().flatMap(({ tools }) => tools)).not.toContain('bash')
  })

  test('a session goes on with another permission than it began with', async () => {
    const first = await run({ permission: 'read', prompt: 'DO:write{one.txt}' })
    const resume = sessionOf(first) ?? ''
    const second = await run({ permission: 'edit', resume, prompt: 'DO:write{two.txt}' })
    expect(second.says.at(-1)).toMatchObject(FINISHED)
    expect(sessionOf(second)).toBe(resume)
    expect([existsSync(inProject('one.txt')), existsSync(inProject('two.txt'))]).toEqual([false, true])
  })

  test('full does what would be asked; by default a question ends the run without a result', async () => {
    const config = join(lab.home, '.config/opencode/opencode.json')
    const asking = { ...JSON.parse(readFileSync(config, 'utf8')), permission: { bash: 'ask' } }
    writeFileSync(config, JSON.stringify(asking))
    const refused = await run({ prompt: 'DO:shell{touch one}' })
    expect(heard(refused, 'tool_ended')).toMatchObject([
      { ok: false, detail: expect.stringMatching(/rejected/) },
    ])
    expect(heard(refused, 'finished')).toEqual([])
    expect(opencode.readStderr(refused.stderr)).toBe('permanent')
    const approved = await run({ permission: 'full', prompt: 'DO:shell{touch two}' })
    expect(approved.says.at(-1)).toMatchObject(FINISHED)
    expect([existsSync(inProject('one')), existsSync(inProject('two'))]).toEqual([false, true])
  })
})

const withFlag = (plan: ReturnType<typeof opencode.launch>) => ({
  ...plan,
  argv: [...plan.argv, '--no-such-flag'],
})

/** A project that widens whatever it can. */
function allowEverything(): void {
  const permission = { '*': 'allow', bash: 'allow', edit: 'allow', external_directory: 'allow' }
  const agent = { build: { permission }, holdfast: { mode: 'primary', permission } }
  writeFileSync(inProject('opencode.json'), JSON.stringify({ permission, agent, default_agent: 'holdfast' }))
}
