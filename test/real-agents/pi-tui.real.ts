import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { piDriver } from '../../src/agents/pi/driver.ts'
import type { AgentSays, LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { useLab } from './lab.ts'
import { startTui } from './tui.ts'

const lab = useLab()
const inProject = (name: string) => join(lab.project, name)
const finished = ({ kind }: AgentSays) => kind === 'finished'

async function startPi(more: Partial<LaunchRequest> = {}) {
  const tui = await startTui(lab, piDriver, more)
  const lineOf = (text: string) => piDriver.lines!.prompt({ ref: 'hf-1', text, session: null })!
  const tell = (text: string) => appendFileSync(tui.request.inputFile, text)
  const say = (text: string) => tell(lineOf(text))
  const ends = () => tui.says().filter(finished)
  return {
    ...tui,
    tell,
    lineOf,
    say,
    /** Until its turn is over. */
    async turn(text: string) {
      const before = ends().length
      say(text)
      await waitFor('the end of the turn', () => ends().length > before, 60_000)
      return ends().at(-1)
    },
    sessions: () => tui.says().flatMap((said) => (said.kind === 'session' ? [said.id] : [])),
  }
}

const texts = () => lab.requests().map(({ turns }) => turns.at(-1)?.text)

function put(path: string, content: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

test('two prompts are delivered without keys and finished, and Ctrl-D ends the session', async () => {
  const pi = await startPi()
  await pi.phase('idle')
  expect(await pi.turn('The word is PINEAPPLE.\nDO:write{made.txt} DO:text{made it}')).toEqual({
    kind: 'finished',
    ok: true,
    text: 'made it',
  })
  expect(pi.says()).toMatchObject([
    { kind: 'session', id: pi.request.sessionId },
    { kind: 'heard', ref: 'hf-1', text: 'The word is PINEAPPLE.\nDO:write{made.txt} DO:text{made it}' },
    { kind: 'usage' },
    { kind: 'tool_began', tool: 'write', detail: 'made.txt' },
    { kind: 'tool_ended', tool: 'write', ok: true },
    { kind: 'said', text: 'made it' },
    { kind: 'usage' },
    { kind: 'finished' },
  ])
  expect(readFileSync(inProject('made.txt'), 'utf8')).toBe('written by the lab\n')
  expect(await pi.turn('DO:text{gone on}')).toMatchObject({ ok: true, text: 'gone on' })
  expect(lab.requests().at(-1)?.turns[0]?.text).toContain('PINEAPPLE')
  await pi.phase('idle')
  await pi.press('C-d')
  await pi.ended()
  expect(lab.strays()).toEqual([])
})

test('what a person has typed stays, and their own prompt is told like ours', async () => {
  const pi = await startPi()
  await pi.untilSaid('it has started', ({ kind }) => kind === 'session')
  await pi.press(...'byhand')
  await pi.until('the draft', ({ draft }) => draft === 'byhand')
  await pi.turn('DO:text{by us}')
  expect(await pi.phase('idle')).toMatchObject({ draft: 'byhand' })
  await pi.press('Enter')
  await pi.untilSaid('its answer', (said) => said.kind === 'finished' && said.text === 'ECHO: byhand')
  expect(pi.says()).toContainEqual({ kind: 'heard', ref: null, text: 'byhand' })
})

test('a prompt waits until the turn of a person is over, and half a line until it is whole', async () => {
  const pi = await startPi()
  await pi.untilSaid('it has started', ({ kind }) => kind === 'session')
  await pi.prompt('DO:slow{2}')
  await pi.phase('working')
  pi.say('DO:text{one}')
  const two = pi.lineOf('DO:text{two}')
  pi.tell(two.slice(0, 20))
  await pi.untilSaid('the first of ours', (said) => said.kind === 'finished' && said.text === 'one')
  pi.tell(two.slice(20))
  await pi.untilSaid('the second of ours', (said) => said.kind === 'finished' && said.text === 'two')
  expect(texts()).toEqual(['DO:slow{2}', 'DO:text{one}', 'DO:text{two}'])
})

test('resumed, it has the earlier turns', async () => {
  const first = lab.request({ prompt: 'The word is PINEAPPLE. DO:text{noted}' })
  await lab.runPlan(piDriver, first)
  const pi = await startPi({ resume: first.sessionId })
  expect(await pi.turn('DO:text{gone on}')).toMatchObject({ ok: true })
  expect(pi.sessions()).toEqual([first.sessionId])
  expect(
    lab
      .requests()
      .at(-1)
      ?.turns.map(({ text }) => text),
  ).toEqual([expect.stringContaining('PINEAPPLE'), 'noted', 'DO:text{gone on}'])
})

test('a session that a person begins is told with its first answer, and nothing is heard twice', async () => {
  const pi = await startPi()
  await pi.turn('DO:text{one}')
  await pi.prompt('/new')
  await pi.until('the new session', ({ draft }) => draft === null)
  expect(await pi.turn('DO:text{two}')).toMatchObject({ text: 'two' })
  await pi.prompt('/reload')
  expect(await pi.turn('DO:text{three}')).toMatchObject({ text: 'three' })
  expect(texts()).toEqual(['DO:text{one}', 'DO:text{two}', 'DO:text{three}'])
  expect(pi.sessions()).toEqual([pi.request.sessionId, expect.stringMatching(piDriver.sessionIdPattern)])
  expect(
    lab
      .requests()
      .at(-1)
      ?.turns.map(({ text }) => text),
  ).not.toContain('DO:text{one}')
})

test('a usage limit is told and shown with the time of its end', async () => {
  const settings = join(lab.home, '.pi/agent/settings.json')
  writeFileSync(
    settings,
    JSON.stringify({ ...JSON.parse(readFileSync(settings, 'utf8')), retry: { enabled: false } }),
  )
  const before = Date.now()
  const pi = await startPi()
  expect(await pi.turn('DO:usage{7200}')).toMatchObject({ ok: false, failure: 'limit' })
  const limited = pi.says().find((said) => said.kind === 'limited')
  expect(limited?.untilMs).toBeGreaterThanOrEqual(before + 7_199_000)
  const { limit } = await pi.phase('limit')
  expect(Date.parse(limit?.until ?? '')).toBe(limited?.untilMs)
})

test('a prompt that it cannot take is an error on the screen, and no turn', async () => {
  writeFileSync(join(lab.home, '.pi/agent/models.json'), '{}')
  const pi = await startPi()
  pi.say('Hello.')
  await pi.untilSaid('it has started', ({ kind }) => kind === 'session')
  await waitFor('the error', async () => /No API key|No model/i.test((await pi.view()).text), 60_000)
  await pi.phase('error')
  expect(pi.says().some(finished)).toBe(false)
})

test('a turn that a person interrupts is over, and did not end well', async () => {
  const pi = await startPi()
  pi.say('DO:shell{sleep 600}')
  await pi.untilSaid('a tool', ({ kind }) => kind === 'tool_began')
  await pi.press('Escape')
  expect(await pi.untilSaid('the end', finished)).toMatchObject({ ok: false })
  expect(pi.says().filter(({ kind }) => kind === 'blocked')).toEqual([])
})

test("a dialog of the user's extension is seen as asking, and a tool it blocks is told", async () => {
  put(
    join(lab.home, '.pi/agent/extensions/own.js'),
    `export default (pi) => pi.on('tool_call', async ({ input }, ctx) => {
      if (!(await ctx.ui.confirm('Dangerous command', input.command))) return { block: true, reason: 'said no' }
    })`,
  )
  const pi = await startPi()
  pi.say('DO:shell{touch ran.txt} DO:text{done}')
  const { question } = await pi.phase('asking')
  expect(question).toMatchObject({ text: expect.stringContaining('touch ran.txt'), options: ['Yes', 'No'] })
  await pi.press('Down', 'Enter')
  await pi.untilSaid('the end', finished)
  expect(pi.says()).toContainEqual({ kind: 'blocked', tool: 'bash', why: 'said no' })
  expect(existsSync(inProject('ran.txt'))).toBe(false)
})

test('a project that nobody has decided about is not asked for, and what was decided holds', async () => {
  put(
    inProject('.pi/extensions/own.js'),
    `import { writeFileSync } from 'node:fs'\nexport default () => writeFileSync('loaded.txt', '')`,
  )
  const untrusted = await startPi()
  expect(await untrusted.turn('DO:text{hello}')).toMatchObject({ ok: true })
  expect(existsSync(inProject('loaded.txt'))).toBe(false)
  put(join(lab.home, '.pi/agent/trust.json'), JSON.stringify({ [lab.project]: true }))
  const trusted = await startPi()
  expect(await trusted.turn('DO:text{hello}')).toMatchObject({ ok: true })
  expect(existsSync(inProject('loaded.txt'))).toBe(true)
})

test('with permission to read it is offered no tool that changes anything', async () => {
  const pi = await startPi({ permission: 'read', persona: 'You are a careful gardener.' })
  await pi.turn('DO:text{read}')
  expect(lab.requests()[0]?.tools.toSorted()).toEqual(['find', 'grep', 'ls', 'read'])
  expect(lab.requests()[0]?.system).toContain('You are a careful gardener.')
})
