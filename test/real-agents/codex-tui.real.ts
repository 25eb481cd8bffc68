import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codexDriver } from '../../src/agents/codex/driver.ts'
import type { LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { outside, unboxed } from './codex-talk.ts'
import { useLab } from './lab.ts'
import { startTui, type Tui } from './tui.ts'

const lab = useLab()
const start = (more: Partial<LaunchRequest> = {}) => startTui(lab, codexDriver, more)
const config = () => join(lab.home, '.codex/config.toml')
const option = (number: number) => ({ option: number, text: '' })
const finished = (tui: Tui) =>
  tui.until(
    'the end of its turn',
    ({ phase, evidence }) => phase === 'idle' && evidence.startsWith('Worked for'),
  )
/** Ready, with its session on the status line. */
const known = (tui: Tui) =>
  tui.until('its session', ({ phase, session }) => phase === 'idle' && session !== undefined)
const userTurns = () =>
  lab
    .requests()
    .flatMap(({ tools, turns }) => (tools.length === 0 ? [] : [turns]))
    .at(-1)!
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)

test('it starts, shows its session, does what it is told, and says how to go on', async () => {
  const before = readFileSync(config(), 'utf8')
  const tui = await start()
  const ready = await known(tui)
  expect(ready.session).toMatch(codexDriver.sessionIdPattern)
  await tui.prompt('One DO:write{made.txt}\nand a second line DO:text{all done}')
  expect(await finished(tui)).toMatchObject({ draft: null, session: ready.session })
  expect(readFileSync(join(lab.project, 'made.txt'), 'utf8')).toBe('written by the lab\n')
  expect(userTurns().at(-1)).toBe('One DO:write{made.txt}\nand a second line DO:text{all done}')
  await tui.press('C-c')
  await tui.ended()
  expect(await tui.read()).toMatchObject({ phase: 'exited', session: ready.session })
  expect(readFileSync(config(), 'utf8').startsWith(before)).toBe(true)
})

test('its session goes on in the interface with what was said before', async () => {
  const persona = 'You are the keeper.'
  const first = await start({ persona })
  await first.prompt('The word is PINEAPPLE. DO:text{noted}')
  const { session = '' } = await finished(first)
  await first.press('C-c')
  await first.ended()
  const second = await start({ persona, resume: session })
  expect(await known(second)).toMatchObject({ session })
  await second.prompt('DO:text{gone on}')
  await second.until(
    'its answer',
    ({ phase }) => phase === 'idle' && userTurns().at(-1) === 'DO:text{gone on}',
  )
  expect(userTurns().join('\n')).toMatch(/PINEAPPLE[\s\S]*gone on/)
  expect(lab.requests().at(-1)?.system.split(persona).length).toBeGreaterThan(1)
})

test.each([
  [0, 'x\n'],
  [2, undefined],
])('a command that leaves the sandbox is asked for: option %i', async (number, content) => {
  const made = join(outside(), 'made')
  const tui = await start({ permission: 'edit' })
  await tui.prompt(unboxed(`echo x >>${made}`))
  const { question } = await tui.phase('asking')
  expect(question?.text).toContain(`echo x >>${made}`)
  expect(question?.options).toHaveLength(3)
  await tui.choose(option(number))
  await tui.phase('idle')
  expect(existsSync(made) ? readFileSync(made, 'utf8') : undefined).toBe(content)
})

test("a tool of the user's own MCP server is asked for, and the option chosen is the one taken", async () => {
  const { command, args } = lab.mcpServer
  appendFileSync(config(), `\n[mcp_servers.own]\ncommand = "${command}"\nargs = ["${args[0]}"]\n`)
  const tui = await start()
  await tui.prompt('DO:mcp{lab_ping} DO:mcp{lab_ping}')
  const { question } = await tui.phase('asking')
  expect(question?.text).toContain('lab_ping')
  expect(question?.options.map((text) => text.split('  ')[0])).toEqual([
    ...['Allow', 'Allow for this session', 'Always allow', 'Cancel'],
  ])
  await tui.choose(option(1))
  await finished(tui)
  const answers = lab
    .requests()
    .at(-1)!
    .turns.filter(({ role }) => role === 'tool')
  expect(answers.map(({ text }) => text.includes('pong'))).toEqual([true, true])
})

test('what the model asks is answered with the option chosen', async () => {
  const feature = '[features]\ndefault_mode_request_user_input = true'
  writeFileSync(config(), readFileSync(config(), 'utf8').replace('[features]', feature))
  const options = ['Red', 'Blue'].map((label) => ({ label, description: 'a color' }))
  const questions = [{ id: 'color', header: 'Color', question: 'Which color?', options }]
  const tui = await start()
  await tui.prompt(`DO:tool{request_user_input|${JSON.stringify({ questions })}}`)
  const { question } = await tui.phase('asking')
  expect(question?.text).toContain('Which color?')
  expect(question?.options).toHaveLength(3)
  await tui.choose(option(1))
  await finished(tui)
  expect(lab.requests().at(-1)?.turns.at(-1)?.text).toBe('{"answers":{"color":{"answers":["Blue"]}}}')
})

test('a usage limit is seen, with its end', async () => {
  const tui = await start()
  await tui.prompt('DO:usage{7200}')
  const { limit } = await tui.phase('limit')
  expect(limit?.message).toContain('usage limit')
  expect(limit?.until).toMatch(/\d{1,2}:\d{2} [AP]M$/)
})

/** With settings of its own: Codex asks about no other. */
function folder(): string {
  const dir = outside()
  mkdirSync(join(dir, '.codex'))
  return dir
}

test.each([
  [0, 'idle'],
  [1, undefined],
] as const)('whether a folder is trusted is asked: option %i', async (number, phase) => {
  const tui = await start({ dir: folder() })
  const { question } = await tui.phase('asking')
  expect(question).toMatchObject({ options: ['Trust and continue', 'Quit'] })
  await tui.choose(option(number))
  await (phase === undefined ? tui.ended() : tui.phase(phase))
})

test('who asked for full is not asked whether the folder is trusted, and nothing of it is kept', async () => {
  const [dir, made] = [folder(), join(outside(), 'yes')]
  const tui = await start({ permission: 'full', dir })
  await tui.prompt(`DO:shell{touch ${made}}`)
  await finished(tui)
  expect(existsSync(made)).toBe(true)
  expect(readFileSync(config(), 'utf8')).not.toContain(dir)
})

test("the user's own status line stays", async () => {
  appendFileSync(config(), '\n[tui]\nstatus_line = ["model"]\n')
  const tui = await start()
  await tui.prompt('DO:text{x}')
  expect((await finished(tui)).session).toBe(undefined)
  expect((await tui.view()).text).toMatch(/^ {2}lab-model *$/m)
})
