import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codexDriver } from '../../src/agents/codex/driver.ts'
import type { LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { answer, asked, of, outside, say, turn, unboxed } from './codex-talk.ts'
import { useLab } from './lab.ts'

const lab = useLab()
const config = () => join(lab.home, '.codex/config.toml')
const converse = (more: Partial<LaunchRequest> = {}) =>
  lab.start(codexDriver, lab.request({ converse: true, ...more }))

test('two prompts are heard one after the other in one life, which ends with its input', async () => {
  const running = converse()
  await say(running, 'hf-1', 'DO:write{made.txt} DO:text{first}')
  expect(await turn(running)).toEqual({ kind: 'finished', ok: true, text: 'first' })
  await say(running, 'hf-2', 'And "this"\nüber\u2028all? DO:text{second}')
  await turn(running, 2)
  running.hangUp()
  const outcome = await running.ended
  expect(outcome.code).toBe(0)
  expect(of(outcome, 'finished').map(({ text }) => text)).toEqual(['first', 'second'])
  expect(of(outcome, 'heard').map(({ ref }) => ref)).toEqual(['hf-1', 'hf-2'])
  expect(of(outcome, 'usage').at(-1)).toMatchObject({ tokensIn: 300, tokensOut: 30, cumulative: true })
  expect(of(outcome, 'unknown')).toEqual([])
  expect(readFileSync(join(lab.project, 'made.txt'), 'utf8')).toBe('written by the lab\n')
  const turns = lab
    .requests()
    .at(-1)!
    .turns.filter(({ role }) => role === 'user')
  expect(turns.map(({ text }) => text)).toContain('DO:write{made.txt} DO:text{first}')
  expect(turns.at(-1)?.text).toBe('And "this"\nüber\u2028all? DO:text{second}')
  expect(lab.strays()).toEqual([])
})

test.each(['default', 'edit'] as const)(
  'with %s it asks before a command leaves the sandbox, and runs it once',
  async (permission) => {
    const made = join(outside(), 'made')
    const running = converse({ permission })
    await say(running, 'hf-1', unboxed(`echo x >>${made}`))
    const question = await asked(running)
    expect(question.question).toContain(`echo x >>${made}`)
    expect(question.question).toContain('May I?')
    expect(question.options).toHaveLength(3)
    expect(existsSync(made)).toBe(false)
    answer(running, question, 0)
    await turn(running)
    expect(readFileSync(made, 'utf8')).toBe('x\n')
    expect(of(running, 'answered')).toHaveLength(1)
    expect(of(running, 'tool_ended')).toMatchObject([{ ok: true }])
  },
)

test('approved for the session, the same command is not asked for again', async () => {
  const made = join(outside(), 'made')
  const running = converse()
  await say(running, 'hf-1', unboxed(`echo x >>${made}`).repeat(2))
  answer(running, await asked(running), 1)
  await turn(running)
  expect(readFileSync(made, 'utf8')).toBe('x\nx\n')
  expect(of(running, 'asked')).toHaveLength(1)
  expect(existsSync(join(lab.home, '.codex/rules'))).toBe(false)
})

test('denied, it does not run and Codex goes on; with a text it hears what to do instead', async () => {
  const made = join(outside(), 'made')
  const running = converse()
  await say(running, 'hf-1', unboxed(`touch ${made}`))
  answer(running, await asked(running), 2)
  expect(await turn(running)).toMatchObject({ ok: true, text: 'The work is done.' })
  await say(running, 'hf-2', unboxed(`touch ${made}`))
  answer(running, await asked(running, 2), 'Rather not: DO:text{as you say}')
  await turn(running, 2)
  expect(of(running, 'finished')[1]).toMatchObject({ ok: true, text: 'as you say' })
  expect(of(running, 'tool_ended').map(({ ok }) => ok)).toEqual([false, false])
  expect(existsSync(made)).toBe(false)
})

const patch = (file: string) =>
  `DO:shell{apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${file}\n+hello\n*** End Patch\nEOF\n}`

test('an edit outside of its directories is asked for, its file told before', async () => {
  const file = join(outside(), 'made')
  const running = converse({ permission: 'edit' })
  await say(running, 'hf-1', patch(file))
  const question = await asked(running)
  expect(of(running, 'tool_began')).toMatchObject([{ tool: 'edit', detail: `add ${file}` }])
  expect(existsSync(file)).toBe(false)
  answer(running, question, 0)
  await turn(running)
  expect(readFileSync(file, 'utf8')).toBe('hello\n')
})

test.each([
  [0, true],
  [2, false],
])("a tool of the user's own MCP server is asked for: option %i", async (option, runs) => {
  const { command, args } = lab.mcpServer
  appendFileSync(config(), `\n[mcp_servers.own]\ncommand = "${command}"\nargs = ["${args[0]}"]\n`)
  const running = converse()
  await say(running, 'hf-1', 'DO:mcp{lab_ping}')
  const question = await asked(running)
  expect(question).toMatchObject({ options: ['Allow', 'Allow for this session', 'Decline'] })
  answer(running, question, option)
  await turn(running)
  expect(of(running, 'tool_ended')).toMatchObject([{ tool: 'own.lab_ping', ok: runs }])
})

test('a tool of ours is called without a question', async () => {
  const running = converse({ mcp: [{ ...lab.mcpServer, name: 'ours' }] })
  await say(running, 'hf-1', 'DO:mcp{lab_ping}')
  await turn(running)
  expect(of(running, 'tool_ended')).toMatchObject([{ tool: 'ours.lab_ping', ok: true }])
  expect(of(running, 'asked')).toEqual([])
})

const feature = (name: string) =>
  writeFileSync(config(), readFileSync(config(), 'utf8').replace('[features]', `[features]\n${name} = true`))

test.each([
  [1, 'Blue'],
  ['Green, please', 'Green, please'],
])('what the model asks is answered: %s', async (choice, words) => {
  feature('default_mode_request_user_input')
  const options = ['Red', 'Blue'].map((label) => ({ label, description: 'a color' }))
  const questions = [{ id: 'color', header: 'Color', question: 'Which color?', options }]
  const running = converse()
  await say(running, 'hf-1', `DO:tool{request_user_input|${JSON.stringify({ questions })}}`)
  const question = await asked(running)
  expect(question).toMatchObject({ question: 'Which color?', options: ['Red', 'Blue'] })
  answer(running, question, choice)
  await turn(running)
  expect(lab.requests().at(-1)?.turns.at(-1)?.text).toBe(`{"answers":{"color":{"answers":["${words}"]}}}`)
})

test.each([
  [0, true],
  [2, false],
])('permissions that it asks for are granted or not: option %i', async (option, written) => {
  feature('request_permissions_tool')
  const dir = outside()
  const running = converse({ permission: 'edit' })
  const wanted = { reason: 'to write there', permissions: { file_system: { write: [dir] } } }
  await say(
    running,
    'hf-1',
    `DO:tool{request_permissions|${JSON.stringify(wanted)}} DO:shell{touch ${dir}/made}`,
  )
  const question = await asked(running)
  expect(question.question).toContain(dir)
  answer(running, question, option)
  await turn(running)
  expect(existsSync(join(dir, 'made'))).toBe(written)
})
