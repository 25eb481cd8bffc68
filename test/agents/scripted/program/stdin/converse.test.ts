import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedDriver } from '../../../../../src/agents/scripted/driver.ts'
import { HeadlessAgent, heardBy, remembered, scriptedAgent } from '../../../../helpers/scripted-agent.ts'
import { waitFor } from '../../../../helpers/wait-for.ts'

const driver = scriptedDriver({ executable: [] })
const script = (...steps: string[]) => steps.map((step) => `do: ${step}`).join('\n')

/** The agent in a conversation, spoken to as the driver does. */
async function begin({ home, args = [] }: { home?: string; args?: string[] } = {}) {
  const agent = await HeadlessAgent.start({ args: ['--converse', ...args], ...(home && { home }) })
  const says = (kind: string) =>
    agent.events
      .flatMap((event) => driver.readEvent(JSON.stringify(event)))
      .filter((one) => one.kind === kind)
  return {
    agent,
    says,
    write: (text: string) => agent.child.stdin.write(text),
    prompt: (ref: string, text: string) =>
      agent.child.stdin.write(driver.lines!.prompt({ ref, text, session: null })!),
    /** The so many-th question or result, once it is there. */
    nth: (kind: string, count: number) => waitFor(`${kind} number ${count}`, () => says(kind)[count - 1]),
    hangUp: () => {
      agent.child.stdin.end()
      return agent.ended
    },
    heard: () => heardBy(agent.home, agent.sessionId).map(({ heard }) => heard),
  }
}

test('two prompts are two turns of one session, each heard by its name and ended by its result', async () => {
  const talk = await begin()
  talk.prompt('hf-1', script('append log one', 'finish first'))
  await talk.nth('finished', 1)
  talk.prompt('hf-2', script('append log two', 'fail second'))
  await talk.nth('finished', 2)
  expect(await talk.hangUp()).toEqual({ code: 0, signal: null })
  expect(talk.says('heard')).toEqual([
    { kind: 'heard', ref: 'hf-1', text: null },
    { kind: 'heard', ref: 'hf-2', text: null },
  ])
  expect(talk.says('finished')).toMatchObject([
    { ok: true, text: 'first' },
    { ok: false, text: 'second' },
  ])
  expect(talk.agent.of('session')).toHaveLength(1)
  expect(readFileSync(join(talk.agent.cwd, 'log'), 'utf8')).toBe('one\ntwo\n')
  expect(talk.heard()).toHaveLength(2)
})

test('a prompt said while it works is noted at once and taken up when the turn is over', async () => {
  const talk = await begin()
  talk.prompt('hf-1', script('wait-for go', 'finish first'))
  talk.prompt('hf-2', script('finish second'))
  await talk.nth('heard', 2)
  expect(talk.heard()).toHaveLength(2)
  expect(talk.says('finished')).toEqual([])
  writeFileSync(join(talk.agent.cwd, 'go'), '')
  await talk.nth('finished', 2)
  expect(talk.says('finished')).toMatchObject([{ text: 'first' }, { text: 'second' }])
})

test('a question takes the answer that names it, once, and no other', async () => {
  const talk = await begin()
  talk.prompt('hf-1', script('ask Run it? | yes | no', 'ask Sure? | yes | no', 'finish ok'))
  const first = await talk.nth('asked', 1)
  if (first.kind !== 'asked' || first.ref === undefined) throw new Error('a question without a name')
  expect(first).toMatchObject({ question: 'Run it?', options: ['yes', 'no'] })
  const answer = (ref: string, option: number) =>
    driver.lines!.answer({ ref, question: '', options: first.options }, { option, text: '' })!
  talk.write(answer('another', 0))
  talk.write(answer(first.ref, 1) + answer(first.ref, 0))
  const second = await talk.nth('asked', 2)
  if (second.kind !== 'asked' || second.ref === undefined) throw new Error('a question without a name')
  talk.write(answer(second.ref, 0))
  await talk.nth('finished', 1)
  expect(talk.says('answered')).toMatchObject([{ answer: 'no' }, { answer: 'yes' }])
  const answers = remembered(talk.agent.home, talk.agent.sessionId).flatMap(({ answered }) => answered ?? [])
  expect(answers).toEqual(['no', 'yes'])
})

test('the end of its input ends it in the middle of a turn: its tool too, exit 0, and no result', async () => {
  const talk = await begin()
  talk.prompt('hf-1', script('say begun', 'tool 300', 'append log never'))
  const { pid } = await talk.agent.event('tool_start')
  expect(await talk.hangUp()).toEqual({ code: 0, signal: null })
  expect(talk.says('said')).toMatchObject([{ text: 'begun' }])
  expect(talk.says('finished')).toEqual([])
  await waitFor('the tool to end', () => !existsSync(`/proc/${pid}`))
})

test.each(['ask Sure?', 'hang', 'spin 300'])(
  'the end of its input ends `%s` without a result',
  async (step) => {
    const talk = await begin()
    talk.prompt('hf-1', script(step))
    await talk.nth('heard', 1)
    expect(await talk.hangUp()).toEqual({ code: 0, signal: null })
    expect(talk.says('finished')).toEqual([])
  },
)

test('a resumed conversation goes on after the last finished step', async () => {
  const before = await begin()
  before.prompt('hf-1', script('say one', 'wait-for go', 'say two'))
  await before.nth('said', 1)
  await before.hangUp()
  const { home, sessionId } = before.agent
  const talk = await begin({ home, args: ['--resume', sessionId] })
  writeFileSync(join(talk.agent.cwd, 'go'), '')
  talk.prompt('hf-2', 'go on')
  await talk.nth('finished', 1)
  expect(talk.says('said')).toMatchObject([{ text: 'two' }])
  expect(talk.agent.sessionId).toBe(sessionId)
  expect(heardBy(home, sessionId)).toMatchObject([{ resumed: false }, { heard: 'go on', resumed: true }])
})

test('300 KB in one line arrive whole, in however many pieces', async () => {
  const talk = await begin()
  const text = `${'é🙂"\\\n'.repeat(40_000)}do: finish long`
  const bytes = Buffer.from(driver.lines!.prompt({ ref: 'hf-1', text, session: null })!)
  expect(bytes.length).toBeGreaterThan(300_000)
  for (let at = 0; at < bytes.length; at += 9_999)
    talk.agent.child.stdin.write(bytes.subarray(at, at + 9_999))
  expect(await talk.nth('finished', 1)).toMatchObject({ ok: true, text: 'long' })
  expect(talk.heard()).toEqual([text])
})

test('half a line at the end of its input is not obeyed, even when it is whole JSON', async () => {
  const talk = await begin()
  talk.write(driver.lines!.prompt({ ref: 'hf-1', text: 'do: append log never', session: null })!.trimEnd())
  expect(await talk.hangUp()).toEqual({ code: 0, signal: null })
  expect(talk.agent.events.map(({ type }) => type)).toEqual(['session'])
  expect(talk.heard()).toEqual([])
})

test('lines it does not understand are named on stderr and passed over', async () => {
  const talk = await begin()
  const strange = ['', 'hello', 'null', '7', '{"type":"prompt","text":"x"}', '{"type":"answer","ref":"r"}']
  talk.write(`${strange.join('\n')}\n${JSON.stringify({ type: 'dance', ref: 'r', text: 'x' })}\n`)
  talk.prompt('hf-1', script('finish ok'))
  await talk.nth('finished', 1)
  await talk.hangUp()
  expect(talk.agent.stderr.trimEnd().split('\n')).toHaveLength(strange.length + 1)
  expect(talk.heard()).toEqual([script('finish ok')])
})

test('a script that ends the process ends the conversation, and no further turn begins', async () => {
  const talk = await begin()
  talk.write(
    ['crash 7', 'append log never']
      .map((step, at) => driver.lines!.prompt({ ref: `hf-${at}`, text: script(step), session: null }))
      .join(''),
  )
  expect(await talk.agent.ended).toEqual({ code: 7, signal: null })
  expect(talk.says('finished')).toEqual([])
  expect(existsSync(join(talk.agent.cwd, 'log'))).toBe(false)
})

test.each([['--tui', '--converse'], ['--converse']])('%s %s is explained as wrong use', async (...args) => {
  const [program = '', ...prefix] = await scriptedAgent()
  const { status, stderr } = spawnSync(program, [...prefix, ...args], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toContain('Usage:')
})
