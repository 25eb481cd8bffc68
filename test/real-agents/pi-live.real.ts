import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { piDriver } from '../../src/agents/pi/driver.ts'
import type { AgentSays, Answer, LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { useLab } from './lab.ts'

const lab = useLab()
const inProject = (name: string) => join(lab.project, name)
const finished = ({ kind }: AgentSays) => kind === 'finished'

function converse(more: Partial<LaunchRequest> = {}) {
  const request = lab.request({ converse: true, ...more })
  const running = lab.start(piDriver, request)
  let turns = 0
  const say = (text: string) =>
    running.tell(piDriver.lines!.prompt({ ref: `hf-${++turns}`, text, session: request.sessionId }))
  return {
    ...running,
    request,
    say,
    /** Until its turn is over. */
    async prompt(text: string) {
      const from = running.says.length
      say(text)
      await waitFor('the end of the turn', () => running.says.slice(from).some(finished), 60_000)
      return running.says.slice(from)
    },
    async question() {
      const said = await running.until('a question', ({ kind }) => kind === 'asked')
      return said as AgentSays & { kind: 'asked' }
    },
    answer({ question, options, ref = '' }: AgentSays & { kind: 'asked' }, answer: Answer) {
      running.tell(piDriver.lines!.answer({ ref, question, options }, answer))
    },
  }
}

/** As the user's own extension, which Pi loads in every run. */
function putExtension(body: string) {
  const path = join(lab.home, '.pi/agent/extensions/own.js')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `export default function (pi) {\n${body}\n}\n`)
}

test('two prompts are heard in one conversation, which ends when nothing more will come', async () => {
  const pi = converse()
  expect(await pi.prompt('The word is PINEAPPLE. DO:write{made.txt} DO:text{made it}')).toMatchObject([
    { kind: 'session', id: pi.request.sessionId },
    { kind: 'heard', ref: 'hf-1', text: null },
    { kind: 'usage' },
    { kind: 'tool_began', tool: 'write' },
    { kind: 'tool_ended', tool: 'write', ok: true },
    { kind: 'said', text: 'made it' },
    { kind: 'usage' },
    { kind: 'finished', ok: true, text: 'made it' },
  ])
  expect(readFileSync(inProject('made.txt'), 'utf8')).toBe('written by the lab\n')
  expect(await pi.prompt('DO:text{gone on}')).toMatchObject([
    { kind: 'heard', ref: 'hf-2' },
    { kind: 'said', text: 'gone on' },
    { kind: 'usage' },
    { kind: 'finished', ok: true, text: 'gone on' },
  ])
  expect(lab.requests().at(-1)?.turns[0]?.text).toContain('PINEAPPLE')
  pi.hangUp()
  expect(await pi.ended).toMatchObject({ code: 0 })
  expect(pi.says.filter(finished)).toHaveLength(2)
  expect(pi.says.filter(({ kind }) => kind === 'unknown')).toEqual([])
  expect(lab.strays()).toEqual([])
})

test('a long prompt with everything in it arrives as it is', async () => {
  const text = `${'Ä€\u2028"\\ \t'.repeat(50_000)}\nDO:text{read it}`
  const says = await converse().prompt(text)
  expect(says.at(-1)).toMatchObject({ kind: 'finished', ok: true, text: 'read it' })
  expect(lab.requests().map(({ turns }) => turns)).toEqual([[{ role: 'user', text }]])
})

test('a turn that fails is over, and the next one is heard', async () => {
  const pi = converse()
  expect((await pi.prompt('DO:badkey')).at(-1)).toMatchObject({ ok: false, failure: 'permanent' })
  expect((await pi.prompt('DO:text{better}')).at(-1)).toMatchObject({ ok: true, text: 'better' })
})

test('a prompt that is not taken is a turn that failed', async () => {
  writeFileSync(join(lab.home, '.pi/agent/models.json'), '{}')
  const says = await converse().prompt('Hello.')
  expect(says.at(-1)).toMatchObject({ kind: 'finished', ok: false, failure: 'permanent' })
})

test('at the end of its input it leaves without a result', async () => {
  const pi = converse()
  pi.say('DO:shell{sleep 600}')
  await pi.until('a tool', ({ kind }) => kind === 'tool_began')
  pi.hangUp()
  expect(await pi.ended).toMatchObject({ code: 0 })
  expect(pi.says.filter(finished)).toEqual([])
})

test('a resumed conversation has the earlier turns', async () => {
  const first = converse()
  await first.prompt('The word is PINEAPPLE. DO:text{noted}')
  await first.kill()
  const second = converse({ resume: first.request.sessionId })
  expect((await second.prompt('DO:text{gone on}'))[0]).toEqual({
    kind: 'session',
    id: first.request.sessionId,
  })
  expect(
    lab
      .requests()
      .at(-1)
      ?.turns.map(({ text }) => text),
  ).toEqual([expect.stringContaining('PINEAPPLE'), 'noted', 'DO:text{gone on}'])
})

const ASK_FIRST = `
  pi.on('tool_call', async ({ toolName, input }, ctx) => {
    if (toolName !== 'bash') return
    const choice = await ctx.ui.select('Allow ' + input.command + '?', ['Allow', 'Block'])
    if (choice !== 'Allow') return { block: true, reason: 'not by this user' }
  })`

test.each([
  ['Allow', 0, true],
  ['Block', 1, false],
])("a question of the user's extension is answered with %s", async (_name, option, ran) => {
  putExtension(ASK_FIRST)
  const pi = converse()
  writeFileSync(pi.request.eventsFile, '')
  pi.say('DO:shell{echo once >> ran.txt} DO:text{done}')
  const question = await pi.question()
  expect(question).toMatchObject({
    question: 'Allow echo once >> ran.txt?',
    options: ['Allow', 'Block'],
    ref: expect.stringMatching(/^select:[0-9a-f-]{36}$/),
  })
  expect(existsSync(inProject('ran.txt'))).toBe(false)
  pi.answer(question, { option, text: '' })
  await pi.until('the end', finished)
  expect(existsSync(inProject('ran.txt')) && readFileSync(inProject('ran.txt'), 'utf8')).toBe(ran && 'once\n')
  expect(pi.says).toContainEqual(expect.objectContaining({ kind: 'tool_ended', tool: 'bash', ok: ran }))
  const told = readFileSync(pi.request.eventsFile, 'utf8').split('\n').slice(0, -1)
  expect(told.flatMap(piDriver.readEvent)).toEqual(
    ran ? [] : [{ kind: 'blocked', tool: 'bash', why: 'not by this user' }],
  )
})

test.each([
  ["ctx.ui.confirm('Sure?', 'It cannot be undone.')", { option: 0, text: '' }, 'true'],
  ["ctx.ui.confirm('Sure?', 'It cannot be undone.')", { option: 1, text: '' }, 'false'],
  ["ctx.ui.input('Name of the branch?')", { option: null, text: 'feature/x' }, '"feature/x"'],
  ["ctx.ui.editor('The message', 'a draft')", { option: null, text: 'two\nlines' }, '"two\\nlines"'],
])('%s is answered with %j', async (dialog, answer, result) => {
  putExtension(`
    pi.on('tool_call', async (event, ctx) => ({ block: true, reason: JSON.stringify(await ${dialog}) }))`)
  const pi = converse()
  pi.say('DO:shell{true}')
  pi.answer(await pi.question(), answer)
  await pi.until('the end', finished)
  expect(pi.says).toContainEqual({ kind: 'tool_ended', tool: 'bash', ok: false, detail: result })
})

test('a single prompt tells of blocked tools too', async () => {
  putExtension(`pi.on('tool_call', () => ({ block: true, reason: 'nothing runs here' }))`)
  const request = lab.request({ prompt: 'DO:shell{true}' })
  writeFileSync(request.eventsFile, '')
  const outcome = await lab.runPlan(piDriver, request)
  expect(outcome.says).toContainEqual(expect.objectContaining({ kind: 'tool_ended', ok: false }))
  const told = readFileSync(request.eventsFile, 'utf8').trimEnd()
  expect(piDriver.readEvent(told)).toEqual([{ kind: 'blocked', tool: 'bash', why: 'nothing runs here' }])
})
