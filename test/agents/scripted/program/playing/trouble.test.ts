// The steps with which drills and tests make trouble.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedDriver } from '../../../../../src/agents/scripted/driver.ts'
import { HeadlessAgent, remembered } from '../../../../helpers/scripted-agent.ts'
import { tempDir } from '../../../../helpers/temp-dir.ts'

const driver = scriptedDriver({ executable: [] })
const script = (...steps: string[]) => steps.map((step) => `do: ${step}`).join('\n')

/** A session that is resumed as often as it takes. */
function session() {
  const [home, cwd] = [tempDir(), tempDir()]
  let id: string | undefined
  return {
    cwd,
    async live(prompt: string) {
      const args = id === undefined ? [] : ['--resume', id]
      const { agent, code, signal } = await HeadlessAgent.run(prompt, { home, cwd, args })
      id ??= agent.sessionId
      return { agent, code, signal, result: agent.of('result')[0] }
    },
  }
}

test('a limit holds until the time it named, also for a resumed session, and is over then', async () => {
  const { live } = session()
  const first = await live(script('limit 2', 'finish past it'))
  const again = await live('go on')
  expect([first.code, again.code]).toEqual([1, 1])
  const until = Number(first.agent.of('limit')[0]?.until)
  expect(again.agent.of('limit')[0]?.until).toBe(until)
  expect(again.result).toMatchObject({ ok: false, failure: 'limit' })
  await new Promise((over) => setTimeout(over, until - Date.now()))
  expect((await live('go on')).result).toMatchObject({ ok: true, text: 'past it' })
})

test('a limit of a file holds for every session until the file exists', async () => {
  const { live, cwd } = session()
  const before = Date.now()
  for (const prompt of [script('limit-until reset 60', 'finish past it'), 'go on']) {
    const { agent, code } = await live(prompt)
    expect(code).toBe(1)
    expect(agent.of('limit')[0]?.until).toBeGreaterThanOrEqual(before + 60_000)
  }
  writeFileSync(join(cwd, 'reset'), '')
  expect((await live('go on')).result).toMatchObject({ ok: true, text: 'past it' })
})

test('a network that is away is an environment failure until it is back', async () => {
  const { live, cwd } = session()
  const prompt = script('fail-until network environment Connection refused', 'finish online')
  for (const said of [prompt, 'go on'])
    expect((await live(said)).result).toMatchObject({
      ok: false,
      text: 'Connection refused',
      failure: 'environment',
    })
  writeFileSync(join(cwd, 'network'), '')
  expect((await live('go on')).result).toMatchObject({ ok: true, text: 'online' })
})

test('a failure of a class happens once, and is read with its class', async () => {
  const { live } = session()
  const { agent, code, result } = await live(script('fail-as permanent Not logged in', 'finish logged in'))
  expect([code, result?.failure]).toEqual([1, 'permanent'])
  const said = driver.readEvent(JSON.stringify(agent.events.at(-1)))
  expect(said).toEqual([{ kind: 'finished', ok: false, text: 'Not logged in', failure: 'permanent' }])
  expect((await live('go on')).result).toMatchObject({ ok: true, text: 'logged in' })
})

test('it crashes in its first lives and then goes on', async () => {
  const { live } = session()
  const lives = [await live(script('crash-lives 2 KILL', 'finish third')), await live(''), await live('')]
  expect(lives.map(({ code, signal }) => signal ?? code)).toEqual(['SIGKILL', 'SIGKILL', 0])
  const { agent, result } = lives[2]!
  expect(result).toMatchObject({ ok: true, text: 'third' })
  const lived = remembered(agent.home, agent.sessionId).flatMap(({ life }) => life ?? [])
  expect(lived).toEqual([1, 2, 3])
})

test('a forgotten session cannot be resumed, and it says so', async () => {
  const { live } = session()
  await live(script('forget', 'crash 3'))
  const { agent, code } = await live('go on')
  expect([code, agent.events, driver.lostSession!(agent.stderr)]).toEqual([1, [], true])
})

test('interrupted in order, it says so and exits with 0, and its tool ends with it', async () => {
  const agent = await HeadlessAgent.start()
  agent.child.stdin.end(script('heed-int', 'tool 300', 'say never'))
  const tool = Number((await agent.event('tool_start')).pid)
  agent.child.kill('SIGINT')
  expect((await agent.ended).code).toBe(0)
  expect(agent.events.at(-1)).toMatchObject({ type: 'result', ok: false, text: 'Interrupted.' })
  expect(existsSync(`/proc/${tool}/cwd`)).toBe(false)
})

test('it thinks aloud, and that is a note', async () => {
  const { agent } = await HeadlessAgent.run(script('think 1.1', 'finish thought out'))
  const thoughts = agent.of('thought').flatMap((event) => driver.readEvent(JSON.stringify(event)))
  expect(thoughts).toMatchObject([{ kind: 'note' }, { kind: 'note' }])
})

test('an edit is a tool that names its file, also when it fails', async () => {
  const { agent, code } = await HeadlessAgent.run(script('write a/b.txt one', 'append /dev/null/x two'))
  expect(code).toBe(1)
  const says = agent.events.flatMap((event) => driver.readEvent(JSON.stringify(event)))
  expect(says.filter(({ kind }) => kind.startsWith('tool_'))).toMatchObject([
    { kind: 'tool_began', tool: 'write', detail: 'a/b.txt', file: 'a/b.txt' },
    { kind: 'tool_ended', tool: 'write', ok: true },
    { kind: 'tool_began', tool: 'append', file: '/dev/null/x' },
    { kind: 'tool_ended', tool: 'append', ok: false },
  ])
})
