import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { opencodeDriver } from '../../src/agents/opencode/driver.ts'
import type { AgentSays, Answer, LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { type Running, useLab } from './lab.ts'
import { opencodeBridge } from './opencode-bridge.ts'

const opencode = opencodeDriver({ bridge: opencodeBridge })
const lab = useLab()
const lines = opencode.lines!
const inProject = (name: string) => join(lab.project, name)
const times = (says: readonly AgentSays[], kind: AgentSays['kind']) =>
  says.filter((said) => said.kind === kind).length
const textsOf = (request = lab.requests().at(-1)) => request?.turns.map(({ text }) => text).join('\n')

function converse(more: Partial<LaunchRequest> = {}) {
  const running = lab.start(opencode, lab.request({ converse: true, ...more }))
  const say = (ref: string, text: string) => running.tell(lines.prompt({ ref, text, session: null }))
  return { running, say }
}

const finished = (running: Running, turns: number) =>
  running.until(`the end of turn ${turns}`, () => times(running.says, 'finished') >= turns)

/** The question of this number, from 1. */
async function asked(running: Running, number = 1) {
  await running.until(`question ${number}`, () => times(running.says, 'asked') >= number)
  const said = running.says.filter(({ kind }) => kind === 'asked')[number - 1]
  if (said?.kind !== 'asked' || said.ref === undefined) throw new Error('a question that cannot be answered')
  return { ...said, ref: said.ref }
}

async function sessionOf(running: Running): Promise<string> {
  const said = await running.until('its session', ({ kind }) => kind === 'session')
  return said.kind === 'session' ? said.id : ''
}

const answer = async (running: Running, number: number, given: Answer) =>
  running.tell(lines.answer(await asked(running, number), given))

test('two prompts, one of them long, are heard by their refs; hanging up ends it', async () => {
  const { running, say } = converse()
  expect(await sessionOf(running)).toMatch(opencode.sessionIdPattern)
  const long = `The word is PINEAPPLE. ${'x'.repeat(300_000)} END-MARK DO:text{one}`
  say('hf-1', long)
  await finished(running, 1)
  say('hf-2', 'DO:write{notes.txt} DO:text{two}')
  await finished(running, 2)
  running.hangUp()
  const { code, says } = await running.ended
  expect(code).toBe(0)
  const told = says.filter(({ kind }) => kind !== 'usage')
  expect(told).toMatchObject([
    { kind: 'session' },
    { kind: 'heard', ref: 'hf-1', text: null },
    { kind: 'said', text: 'one' },
    { kind: 'finished', ok: true },
    { kind: 'heard', ref: 'hf-2', text: null },
    { kind: 'tool_began', tool: 'write' },
    { kind: 'tool_ended', tool: 'write', ok: true },
    { kind: 'said', text: 'two' },
    { kind: 'finished', ok: true },
  ])
  expect(textsOf()).toContain(long)
  expect(existsSync(inProject('notes.txt'))).toBe(true)
  expect(lab.strays()).toEqual([])
})

const COUNTED = "DO:shell{node -e \"fs.appendFileSync('ran', 'x')\"} DO:text{went on}"
const ran = () => (existsSync(inProject('ran')) ? readFileSync(inProject('ran'), 'utf8') : '')
const colour = { question: 'Which colour?', header: 'Colour', options: [{ label: 'Red', description: 'r' }] }
const howMany = { ...colour, question: 'How many?', header: 'Number' }
const QUESTIONS = `DO:tool{question|${JSON.stringify({ questions: [colour, howMany] })}}`

test('edit asks for commands: allowed they run once, rejected not at all; questions are answered too', async () => {
  const { running, say } = converse({ permission: 'edit' })
  say('1', `DO:write{made.txt} ${COUNTED}`)
  const question = await asked(running)
  expect(question.question).toContain("fs.appendFileSync('ran', 'x')")
  expect(question.options).toEqual(['Allow once', 'Allow always', 'Reject'])
  expect([existsSync(inProject('made.txt')), ran()]).toEqual([true, ''])
  await answer(running, 1, { option: 0, text: '' })
  await finished(running, 1)
  expect(ran()).toBe('x')

  say('2', COUNTED)
  await answer(running, 2, { option: 2, text: 'Reject' })
  await finished(running, 2)
  say('3', COUNTED)
  await answer(running, 3, { option: null, text: 'Use the other file.' })
  await finished(running, 3)
  expect(ran()).toBe('x')
  expect(textsOf()).toContain('Use the other file.')

  say('4', QUESTIONS)
  await answer(running, 4, { option: 0, text: '' })
  await answer(running, 5, { option: null, text: 'seven' })
  await finished(running, 4)
  expect(textsOf()).toMatch(/Which colour\?.*Red[\s\S]*How many\?.*seven/)
  expect(times(running.says, 'asked')).toBe(5)
  expect(running.says.filter(({ kind }) => kind === 'finished')).toEqual(
    Array(4).fill({ kind: 'finished', ok: true, text: '' }),
  )
})

/** What a user might have: commands are asked for. */
function askForCommands(): void {
  const config = join(lab.home, '.config/opencode/opencode.json')
  const own = JSON.parse(readFileSync(config, 'utf8'))
  writeFileSync(config, JSON.stringify({ ...own, permission: { bash: 'ask' } }))
}

test('full asks nothing; hung up in the middle of a tool, it ends without success and takes the tool along', async () => {
  askForCommands()
  const { running, say } = converse({ permission: 'full' })
  say('1', COUNTED)
  await finished(running, 1)
  expect(ran()).toBe('x')
  say('2', 'DO:shell{echo $$ > pid && exec sleep 600}')
  const pid = await waitFor('the tool', () => existsSync(inProject('pid')) && pidIn(inProject('pid')), 60_000)
  running.hangUp()
  const { code, says } = await running.ended
  expect(code).toBe(0)
  expect([times(says, 'asked'), times(says, 'heard')]).toEqual([0, 2])
  // The tool's own end may be told behind it.
  expect(says.findLast(({ kind }) => kind === 'finished')).toEqual({
    kind: 'finished',
    ok: false,
    text: 'interrupted',
    interrupted: true,
  })
  await waitFor('the end of the tool', () => !existsSync(`/proc/${pid}`))
})

const pidIn = (file: string) => Number(readFileSync(file, 'utf8'))

test('killed with a question open, it is resumed with what it knew; failed turns say why', async () => {
  askForCommands()
  const first = converse()
  first.say('1', `The word is PINEAPPLE. ${COUNTED}`)
  await asked(first.running)
  const killed = await first.running.kill()
  expect(times(killed.says, 'finished')).toBe(0)

  const { running, say } = converse({ resume: await sessionOf(first.running) })
  say('2', 'DO:badkey')
  await finished(running, 1)
  say('3', 'DO:http{500:1} DO:text{fine}')
  await finished(running, 2)
  expect(await sessionOf(running)).toBe(await sessionOf(first.running))
  expect(textsOf()).toContain('PINEAPPLE')
  expect(running.says.filter(({ kind }) => kind === 'finished')).toMatchObject([
    { ok: false, failure: 'permanent' },
    { ok: true },
  ])
  expect(running.says).toContainEqual({ kind: 'note', text: expect.stringContaining('tries again') })
  say('4', 'DO:usage{7200}')
  await running.until('its note', (said) => said.kind === 'note' && said.text.includes('usage limit'))
  running.signal('SIGTERM')
  expect((await running.ended).signal).toBe('SIGTERM')
  expect(ran()).toBe('')
})

test('a session that does not exist needs a person, and no other is begun', async () => {
  const { running } = converse({ resume: 'ses_000000000000AAAAAAAAAAAAAA' })
  const { code, says, stderr } = await running.ended
  expect([code, says, opencode.readStderr(stderr)]).toEqual([1, [], 'permanent'])
  expect(opencode.lostSession!(stderr)).toBe(true)
})
