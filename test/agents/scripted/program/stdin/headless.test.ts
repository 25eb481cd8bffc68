import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CONTINUATION, wordsOfAnswer } from '../../../../../src/domain/task/go-on.ts'
import { environOf } from '../../../../helpers/environ-of.ts'
import { HeadlessAgent, heardBy, remembered, scriptedAgent } from '../../../../helpers/scripted-agent.ts'
import { tempDir } from '../../../../helpers/temp-dir.ts'
import { waitFor } from '../../../../helpers/wait-for.ts'

const script = (...steps: string[]) => steps.map((step) => `do: ${step}`).join('\n')

const toolOf = (agent: HeadlessAgent, tool: string) =>
  agent.of('tool_start').find((event) => event.tool === tool)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('without steps it echoes the beginning of the prompt and finishes well', async () => {
  const prompt = `Fix the login.\n${'x'.repeat(300)}`
  const { agent, code } = await HeadlessAgent.run(prompt)
  const text = `ECHO: ${prompt.slice(0, 200)}`
  const id = agent.sessionId
  expect(code).toBe(0)
  expect(agent.events).toEqual([
    { type: 'session', id },
    { type: 'prompt', text: prompt },
    { type: 'say', text },
    { type: 'result', ok: true, text, session_id: id },
  ])
})

test('it plays the steps inside a laid-out prompt in order', async () => {
  const prompt = `# Persona\nBe brief.\n\n${script('say one', 'usage 10 20 0.25', 'env COLOUR', 'env NOT_THERE', 'finish all good')}\n\nThank you.`
  const { agent, code } = await HeadlessAgent.run(prompt, { env: { COLOUR: 'blue' }, args: ['--model=m1'] })
  expect(code).toBe(0)
  expect(agent.events[0]).toMatchObject({ type: 'session', model: 'm1' })
  expect(agent.events.slice(2)).toEqual([
    { type: 'say', text: 'one' },
    { type: 'usage', tokens_in: 10, tokens_out: 20, cost_usd: 0.25 },
    { type: 'say', text: 'COLOUR=blue' },
    { type: 'say', text: 'NOT_THERE is not set' },
    { type: 'result', ok: true, text: 'all good', session_id: agent.sessionId },
  ])
})

test('it writes and appends files, making directories', async () => {
  const { agent, code } = await HeadlessAgent.run(script('write a/b/c.txt one', 'append a/b/c.txt two $(x)'))
  expect(code).toBe(0)
  expect(readFileSync(join(agent.cwd, 'a/b/c.txt'), 'utf8')).toBe('one\ntwo $(x)\n')
  expect(agent.of('result')[0]).toMatchObject({ ok: true, text: 'Steps done: 2.' })
})

test('it hands over a result file, and leaves nothing else beside it', async () => {
  const dir = tempDir()
  await HeadlessAgent.run(script('result {"summary": "ok"}'), { env: { HOLDFAST_SESSION_DIR: dir } })
  expect(readdirSync(dir)).toEqual(['result.json'])
  expect(readFileSync(join(dir, 'result.json'), 'utf8')).toBe('{"summary": "ok"}\n')
})

test('a step that fails ends the script with the reason and is not counted as finished', async () => {
  const { agent, code } = await HeadlessAgent.run(script('say one', 'result {}', 'say never'))
  expect(code).toBe(1)
  expect(agent.of('result')).toEqual([
    {
      type: 'result',
      ok: false,
      text: 'Step 2 (result {}) failed: HOLDFAST_SESSION_DIR is not set.',
      session_id: agent.sessionId,
    },
  ])
  expect(remembered(agent.home, agent.sessionId).filter((fact) => 'step' in fact)).toEqual([{ step: 1 }])
})

test('a step that does not exist fails when its turn comes', async () => {
  const { agent, code } = await HeadlessAgent.run(script('say one', 'dance'))
  expect(code).toBe(1)
  expect(agent.of('say')).toHaveLength(1)
  expect(agent.of('result')[0]?.text).toBe("Step 2 (dance) failed: there is no step 'dance'.")
})

test('steps can come from a file, read once when the prompt arrives', async () => {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'steps.txt'), '# the plan\nsay one\nwrite steps.txt say changed\nsay two\n')
  const { agent } = await HeadlessAgent.run(script('script steps.txt', 'script gone.txt'), { cwd })
  expect(agent.of('say').map(({ text }) => text)).toEqual(['one', 'two'])
  expect(agent.of('result')[0]).toMatchObject({ ok: false, text: expect.stringContaining('gone.txt') })
})

test('a tool is a real child process with a beginning and an end', async () => {
  const agent = await HeadlessAgent.start({ env: { HOLDFAST_RUN: 'run-1' } })
  agent.child.stdin.end(script('tool 0.3 npm test'))
  const { pid, ...start } = await agent.event('tool_start')
  expect(start).toEqual({ type: 'tool_start', tool: 'npm test', detail: '0.3 s' })
  expect(await environOf(Number(pid))).toContain('HOLDFAST_RUN=run-1')
  expect(await agent.event('tool_end')).toEqual({
    type: 'tool_end',
    tool: 'npm test',
    ok: true,
    detail: 'exit 0',
  })
  expect(isAlive(Number(pid))).toBe(false)
})

test('it runs programs without a shell and tells how they ended', async () => {
  const steps = ['run echo $HOME;ls', 'run sh -c "echo oh >&2; exit 3"', 'run no-such-program x']
  const { agent, code } = await HeadlessAgent.run(script(...steps))
  expect(code).toBe(0)
  expect(agent.of('tool_end')).toEqual([
    { type: 'tool_end', tool: 'echo', ok: true, detail: 'exit 0: $HOME;ls' },
    { type: 'tool_end', tool: 'sh', ok: false, detail: 'exit 3: oh' },
    {
      type: 'tool_end',
      tool: 'no-such-program',
      ok: false,
      detail: expect.stringContaining('ENOENT'),
    },
  ])
})

test('a detached tool lives on in its own session after the agent is gone', async () => {
  const { agent, code } = await HeadlessAgent.run(script('tool-detached 300', 'crash SIGKILL'))
  const pid = Number(agent.of('tool_start')[0]?.pid)
  onTestFinished(() => void process.kill(pid, 'SIGKILL'))
  expect(code).toBe(null)
  expect(isAlive(pid)).toBe(true)
  const session = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3]
  expect(Number(session)).toBe(pid)
})

test('it waits for a file, also when its directory does not exist yet', async () => {
  const agent = await HeadlessAgent.start()
  agent.child.stdin.end(script('say waiting', 'wait-for new/dir/go', 'wait 0.01', 'say seen'))
  await agent.event('say')
  mkdirSync(join(agent.cwd, 'new/dir'), { recursive: true })
  writeFileSync(join(agent.cwd, 'new/dir/go'), '')
  expect((await agent.ended).code).toBe(0)
  expect(agent.of('say').at(-1)?.text).toBe('seen')
})

test('a question is answered by a line on stdin, and the answer is remembered', async () => {
  const agent = await HeadlessAgent.start()
  agent.child.stdin.write(`${JSON.stringify({ prompt: script('ask Which? | red | blue', 'say thanks') })}\n`)
  expect(await agent.event('ask')).toEqual({ type: 'ask', question: 'Which?', options: ['red', 'blue'] })
  agent.child.stdin.write('not for you\n{"answer":7}\n{"answer":"blue"}\n')
  expect((await agent.ended).code).toBe(0)
  expect(agent.of('answer')).toEqual([{ type: 'answer', answer: 'blue' }])
  expect(agent.events.map(({ type }) => type).slice(-3)).toEqual(['answer', 'say', 'result'])
  expect(remembered(agent.home, agent.sessionId)).toContainEqual(
    expect.objectContaining({ answered: 'blue' }),
  )
})

test('a question with nobody on stdin waits until it is ended', async () => {
  const agent = await HeadlessAgent.start()
  agent.child.stdin.end(script('ask Which? | red | blue', 'say never'))
  await agent.event('ask')
  agent.child.kill('SIGTERM')
  expect(await agent.ended).toEqual({ code: null, signal: 'SIGTERM' })
  expect(agent.events.at(-1)?.type).toBe('ask')
})

test('a limit names the time of its reset and exits with 1', async () => {
  const before = Date.now()
  const { agent, code } = await HeadlessAgent.run(script('limit 60', 'say never'))
  const limit = agent.of('limit')[0]
  expect(code).toBe(1)
  expect(limit?.until).toBeGreaterThanOrEqual(before + 60_000)
  expect(limit?.until).toBeLessThanOrEqual(Date.now() + 60_000)
  expect(agent.events.at(-1)).toMatchObject({ type: 'result', ok: false, text: limit?.message })
})

test.each([
  ['crash 7', 7, null],
  ['crash 0', 0, null],
  ['crash SIGKILL', null, 'SIGKILL'],
  ['crash TERM', null, 'SIGTERM'],
  ['silent-exit', 0, null],
])('%s ends it so, without a result', async (step, code, signal) => {
  const ended = await HeadlessAgent.run(script('ignore-term', step, 'say never'))
  expect({ code: ended.code, signal: ended.signal }).toEqual({ code, signal })
  expect(ended.agent.events.at(-1)?.type).toBe('prompt')
})

test('fail is a result of its own', async () => {
  const { agent, code } = await HeadlessAgent.run(script('fail no luck'))
  expect(code).toBe(1)
  expect(agent.of('result')[0]).toMatchObject({ ok: false, text: 'no luck' })
})

test('after ignore-term it ignores SIGTERM and SIGINT until it is killed', async () => {
  const agent = await HeadlessAgent.start()
  agent.child.stdin.end(script('ignore-term', 'say deaf', 'wait-for go', 'say still here', 'hang'))
  await agent.event('say')
  agent.child.kill('SIGTERM')
  agent.child.kill('SIGINT')
  writeFileSync(join(agent.cwd, 'go'), '')
  await waitFor('its next words', () => agent.of('say')[1])
  agent.child.kill('SIGKILL')
  expect((await agent.ended).signal).toBe('SIGKILL')
})

test('hang uses no CPU and spin does', async () => {
  const cpuTicks = (pid: number | undefined) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  }
  const hanging = await HeadlessAgent.start()
  hanging.child.stdin.end(script('say here', 'hang'))
  const spinning = await HeadlessAgent.start()
  spinning.child.stdin.end(script('say here', 'spin 1000'))
  await Promise.all([hanging.event('say'), spinning.event('say')])
  const before = cpuTicks(hanging.child.pid)
  const from = cpuTicks(spinning.child.pid)
  await waitFor('half a second of CPU time', () => cpuTicks(spinning.child.pid) >= from + 50)
  expect(cpuTicks(hanging.child.pid) - before).toBeLessThan(20)
})

test('a flood has all its bytes, in whole lines, through a slow pipe', async () => {
  const { agent, code } = await HeadlessAgent.run(script('flood 300500'))
  const texts = agent.of('say').map(({ text }) => String(text))
  expect(code).toBe(0)
  expect(texts).toHaveLength(301)
  expect(texts.join('')).toHaveLength(300_500)
})

test('garbage is neither JSON nor UTF-8, and the script goes on', async () => {
  const { agent, code } = await HeadlessAgent.run(script('garbage', 'say after'))
  expect(code).toBe(0)
  expect(agent.stdout.includes('this is not JSON')).toBe(true)
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(agent.stdout)).toThrow()
  expect(agent.of('say')).toHaveLength(1)
})

test('kill -9 in the middle of a tool: resuming goes on there, repeats nothing finished, remembers both prompts', async () => {
  const home = tempDir()
  const cwd = tempDir()
  const id = 'session-of-two-lives'
  const first = script('append log one', 'tool 300 long', 'append log three')
  const killed = await HeadlessAgent.start({
    home,
    cwd,
    args: ['--session-id', id],
    env: { HOLDFAST_RUN: 'r1' },
  })
  killed.child.stdin.end(first)
  const tool = Number((await waitFor('the tool', () => toolOf(killed, 'long'))).pid)
  killed.child.kill('SIGKILL')
  process.kill(tool, 'SIGKILL')
  await killed.ended

  const resumed = await HeadlessAgent.start({
    home,
    cwd,
    args: ['--resume', id],
    env: { HOLDFAST_RUN: 'r2' },
  })
  const second = `You were interrupted.\n${script('append log four', 'finish done')}`
  resumed.child.stdin.end(second)
  const again = await waitFor('the tool', () => toolOf(resumed, 'long'))
  process.kill(Number(again.pid), 'SIGKILL')
  expect((await resumed.ended).code).toBe(0)
  expect(resumed.of('tool_end')[0]).toMatchObject({ ok: false, detail: 'ended by SIGKILL' })
  expect(readFileSync(join(cwd, 'log'), 'utf8')).toBe('one\nthree\nfour\n')
  expect(heardBy(home, id)).toMatchObject([
    { heard: first, pid: killed.child.pid, run: 'r1', resumed: false },
    { heard: second, pid: resumed.child.pid, run: 'r2', resumed: true },
  ])
})

test('a crash happens once: the resumed session gets past it, and past a line that was cut off', async () => {
  const { agent, code } = await HeadlessAgent.run(script('say one', 'crash 3', 'say two'))
  expect(code).toBe(3)
  const { home, sessionId } = agent
  writeFileSync(join(home, 'sessions', `${sessionId}.jsonl`), '{"step": 1, "cut o', { flag: 'a' })
  const second = await HeadlessAgent.run('Go on.', { home, args: ['--resume', sessionId] })
  expect(second.agent.of('say').map(({ text }) => text)).toEqual(['two'])
  const third = await HeadlessAgent.run('Anything else?', { home, args: ['--resume', sessionId] })
  expect(third.agent.of('say').map(({ text }) => text)).toEqual(['ECHO: Anything else?'])
  expect(heardBy(home, sessionId).map(({ heard }) => heard)).toHaveLength(3)
})

test('a script of very many steps is heard and kept', async () => {
  const { agent, code } = await HeadlessAgent.run(`do: finish early\n${'do: hang\n'.repeat(300_000)}`)
  expect(code).toBe(0)
  const [heard] = remembered(agent.home, agent.sessionId).filter((fact) => 'heard' in fact)
  expect(heard?.steps).toHaveLength(300_001)
})

test('session files are private', async () => {
  const { agent } = await HeadlessAgent.run('secret')
  const file = statSync(join(agent.home, 'sessions', `${agent.sessionId}.jsonl`))
  expect(file.mode & 0o777).toBe(0o600)
})

test('without a home of its own it keeps sessions in the state directory', async () => {
  const state = tempDir()
  const env = { SCRIPTED_AGENT_HOME: '', XDG_STATE_HOME: state }
  const { agent } = await HeadlessAgent.run('hello', { env })
  expect(heardBy(join(state, 'holdfast-scripted-agent'), agent.sessionId)).toHaveLength(1)
})

test('an unknown session is refused and nothing is made', async () => {
  for (const id of ['no-such-session', '../../etc/passwd', '']) {
    const { agent, code } = await HeadlessAgent.run('hello', { args: [`--resume=${id}`] })
    expect(code).toBe(1)
    expect(agent.stderr).toBe(`No session found with id ${id}\n`)
    expect(agent.stdout).toHaveLength(0)
    expect(readdirSync(agent.home)).toEqual([])
  }
})

test('a session id is taken once and has to look like one', async () => {
  const home = tempDir()
  const args = ['--session-id', 'my-session-1']
  expect((await HeadlessAgent.run('first', { home, args })).code).toBe(0)
  const second = await HeadlessAgent.run('second', { home, args })
  expect(second.code).toBe(1)
  expect(second.agent.stderr).toContain('already exists')
  expect(heardBy(home, 'my-session-1').map(({ heard }) => heard)).toEqual(['first'])
  const bad = await HeadlessAgent.run('x', { home, args: ['--session-id', '../escape-it'] })
  expect(bad.agent.stderr).toContain('is not a session id')
  expect(existsSync(join(home, 'escape-it.jsonl'))).toBe(false)
})

test.each([
  [['--tui']],
  [['--resume', 'aaaaaaaa', '--session-id', 'bbbbbbbb']],
  [['--nonsense']],
  [['surplus']],
])('wrong use %j is explained and makes nothing', async (args) => {
  const { agent, code } = await HeadlessAgent.run('hello', { args })
  expect(code).toBe(1)
  expect(agent.stderr).not.toBe('')
  expect(readdirSync(agent.home)).toEqual([])
})

test('it is one file that imports only Node', async () => {
  const [, file = ''] = await scriptedAgent()
  const imports = readFileSync(file, 'utf8').match(/^import .* from "(.*)";$/gm) ?? []
  expect(imports.length).toBeGreaterThan(0)
  for (const line of imports) expect(line).toMatch(/from "node:/)
})

const TWO_QUESTIONS = script('ask First? | red | green', 'ask Second? | up | down', 'say done')

/** One that was ended over its first question. */
async function askedFirst() {
  const agent = await HeadlessAgent.start()
  agent.child.stdin.end(TWO_QUESTIONS)
  await agent.event('ask')
  agent.child.kill('SIGKILL')
  await agent.ended
  const { home, cwd, sessionId: id } = agent
  const resumed = async (prompt: string) => {
    const next = await HeadlessAgent.start({ home, cwd, args: ['--resume', id] })
    next.child.stdin.end(prompt)
    return next
  }
  return {
    id,
    resumed,
    note: (fact: object) =>
      appendFileSync(join(home, 'sessions', `${id}.jsonl`), `${JSON.stringify(fact)}\n`),
  }
}
const asked = (agent: HeadlessAgent) => agent.of('ask').map(({ question }) => question)

test('one that is resumed with an answer does not ask that again', async () => {
  const { resumed } = await askedFirst()
  const agent = await resumed(wordsOfAnswer('First?', 'red'))
  await agent.event('ask')
  expect(asked(agent)).toEqual(['Second?'])
  expect(agent.of('answer')).toEqual([{ type: 'answer', answer: 'red' }])
})

test('an answer that was heard before a kill is not asked for again, and answers nothing else', async () => {
  const { resumed, note } = await askedFirst()
  // Killed before the step was noted as finished.
  note({ heard: wordsOfAnswer('First?', 'red'), steps: [] })
  const second = await resumed(CONTINUATION)
  await second.event('ask')
  expect(asked(second)).toEqual(['Second?'])
  second.child.kill('SIGKILL')
  await second.ended
  // Told again by somebody who does not know that it was heard.
  const third = await resumed(wordsOfAnswer('First?', 'red'))
  await third.event('ask')
  expect(asked(third)).toEqual(['Second?'])
  expect(third.of('answer')).toEqual([])
})

test('an answer that was given before a kill is not asked for again', async () => {
  const { resumed, note } = await askedFirst()
  note({ answered: 'red', at: 1, to_step: 0 })
  const agent = await resumed(CONTINUATION)
  await agent.event('ask')
  expect(asked(agent)).toEqual(['Second?'])
})
