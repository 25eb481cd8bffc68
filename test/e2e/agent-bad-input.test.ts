// Agents that are absent, broken or hostile: real small programs in the place of real agents, which play act.sh.
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

const KINDS = ['claude', 'codex', 'opencode', 'pi']
const PROGRAM = `#!/bin/sh
[ "$1" = --version ] && { echo '9.9.9 (a stand-in)'; exit; }
case "$*" in
  *--input-format=stream-json*) IFS= read -r line; printf '%s' "$line" >heard.txt ;;
  *) cat >heard.txt ;;
esac
. ./act.sh
`
/** Those that may ask are spoken to line by line; with these permissions none may. */
const ONCE = ['--permissions', 'read']
const SESSION = '11111111-2222-3333-4444-555555555555'
const line = (event: object) => `${JSON.stringify(event)}\n`
const INIT = line({ type: 'system', subtype: 'init', session_id: SESSION })
const says = (texts: string[]) =>
  line({ type: 'assistant', message: { content: texts.map((text) => ({ type: 'text', text })) } })
const DONE = line({ type: 'result', subtype: 'success', is_error: false, num_turns: 1, result: 'well done' })

async function worldWithStandIns(config = '') {
  const bin = tempDir('hfbin')
  for (const kind of [...KINDS, 'printer']) writeFileSync(join(bin, kind), PROGRAM, { mode: 0o755 })
  const printer = { argv: ['printer'], patterns: { session: '^session (.*)', done: '^All done: (.*)' } }
  const world = await startWorld({
    config: `${config}agents: ${JSON.stringify({ printer })}\n`,
    env: { PATH: `${bin}:${process.env.PATH}` },
  })
  const inProject = (name: string) => join(world.project, name)
  return {
    ...world,
    bin,
    heard: () => readFileSync(inProject('heard.txt')),
    /** What the stand-ins do from now on. */
    act: (script: string) => writeFileSync(inProject('act.sh'), script),
    /** Bytes for act.sh to print. */
    put: (name: string, bytes: string | Buffer) => writeFileSync(inProject(name), bytes),
    start: (kind: string) => world.run('go', '--agent', kind, ...(kind === 'printer' ? [] : ONCE)),
    output: (id: string) => readFileSync(join(world.home, 'tasks', id, 'output.log'), 'utf8'),
  }
}
type StandIns = Awaited<ReturnType<typeof worldWithStandIns>>

/** All a task's stream told until its end, as `kind: data`. */
const eventsOf = ({ home }: StandIns, id: string) =>
  new Promise<string>((resolve, reject) => {
    get({ socketPath: join(home, 'daemon.sock'), path: `/api/tasks/${id}/events` }, async (response) =>
      resolve((await response.setEncoding('utf8').toArray()).join('')),
    ).on('error', reject)
  })

test('an agent that is not installed is refused with the way to install it, and nothing is made', async () => {
  const world = await worldWithStandIns()
  const nowhere = { env: { PATH: join(world.root, 'nowhere') } }
  await world.ok(['up'])
  for (const kind of KINDS) {
    const { code, stderr } = await world.cli(['run', 'go', '--agent', kind], nowhere)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('AGENT_NOT_INSTALLED') })
    expect(stderr).toMatch(`There is no '${kind}' on your PATH. Install it: npm install -g`)
  }
  expect((await world.json<TaskListJson>(['list'])).tasks).toEqual([])
  expect(readdirSync(join(world.home, 'tasks'))).toEqual([])
  expect(readdirSync(world.project)).toEqual([])
})

test('an agent that goes while its task waits in the queue is a person’s business, and the next one has its turn', async () => {
  const world = await worldWithStandIns('maxConcurrent: 1\n')
  world.act('until [ -e go ]; do sleep 0.05; done; echo All done: now')
  const first = await world.start('printer')
  await waitFor('it to work', async () => (await world.status(first)).phase === 'working')
  const second = await world.start('claude')
  const third = await world.start('printer')
  rmSync(join(world.bin, 'claude'))
  world.put('go', '')
  const { reason, exit_code, questions } = await world.untilStatus(second, 'waiting_input')
  expect({ reason, exit_code }).toEqual({ reason: expect.stringContaining('claude'), exit_code: 127 })
  expect(questions).toMatchObject([{ options: ['resume', 'close'] }])
  await world.untilStatus(third, 'COMPLETED')
})

test('a version nobody tried is a warning of doctor, and it runs all the same', async () => {
  const world = await worldWithStandIns()
  const { stdout } = await world.cli(['doctor'])
  for (const kind of KINDS)
    expect(stdout).toMatch(
      new RegExp(`warn\\s+${kind}\\s+9\\.9\\.9 .*not a version Holdfast was tested with`),
    )
  world.put('events', INIT + DONE)
  world.act('cat events')
  await world.untilStatus(await world.start('claude'), 'COMPLETED')
})

test('an agent that exits at once has not finished, whatever its code', async () => {
  const world = await worldWithStandIns()
  const ends: [script: string, reason: string][] = [
    ['exit 0', 'exited with code 0, but without a result'],
    ['echo "no such flag" >&2; exit 2', 'exited with code 2: no such flag'],
    ['kill -SEGV $$', 'killed by SIGSEGV before it finished'],
  ]
  for (const [script, reason] of ends) {
    world.act(script)
    for (const kind of KINDS)
      expect(await world.untilStatus(await world.start(kind), 'FAILED')).toMatchObject({ reason })
  }
})

test('garbage and bytes that are no UTF-8 are kept harmless, and what follows them counts', async () => {
  const world = await worldWithStandIns()
  const hostile = '\x1b]0;owned\x07\x1b[2J{"type":\n[]\nnull\n{"type":"result"}\n{"type":{"a":[1]}}\n\0\0\r\n'
  world.put('events', Buffer.from(`${hostile}${INIT}${says(['caf\xe9'])}${DONE}`, 'latin1'))
  world.act('head -c 1000000 /dev/urandom; echo; cat events')
  const id = await world.start('claude')
  expect(await world.untilStatus(id, 'COMPLETED')).toMatchObject({ agent_session_id: SESSION })
  const output = world.output(id)
  expect(output).toContain('unknown: ')
  expect(output).toContain('agent: caf\ufffd\n')
  expect(output).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
})

test('100 MB of output pass through a daemon that does not grow by them', { timeout: 120_000 }, async () => {
  const world = await worldWithStandIns()
  const lines = 100_000
  world.act(`yes ${'x'.repeat(999)} | head -n ${lines}; echo All done: printed`)
  await world.ok(['up'])
  const before = highWaterMb(world.daemonPid())
  const id = await world.start('printer')
  await world.untilStatus(id, 'COMPLETED', 100_000)
  const grown = highWaterMb(world.daemonPid()) - before
  expect(statSync(join(world.home, 'tasks', id, 'output.log')).size).toBe(
    lines * `agent: ${'x'.repeat(999)}\n`.length + 'result: printed\n'.length,
  )
  // Whoever held it all would need several times as much; unused memory alone may be 100 MB.
  expect(grown).toBeLessThan(150)
})

test('one line of 5 MB is read whole, and so is one of 200,000 parts', async () => {
  const world = await worldWithStandIns()
  const parts = Array.from({ length: 200_000 }, () => 'x')
  world.put('events', INIT + says(['long '.repeat(1_000_000), 'and its end']) + says(parts) + DONE)
  world.act('cat events')
  const id = await world.start('claude')
  await world.untilStatus(id, 'COMPLETED')
  expect(world.output(id)).toMatch(
    /^session: .*\nagent: long .*…\nagent: and its end\n(agent: x\n){200000}result: well done\n$/,
  )
})

test('half a line at death is no result', async () => {
  const world = await worldWithStandIns()
  world.put('events', INIT + DONE.slice(0, -2))
  world.act('echo warming up >&2; cat events; kill -9 $$')
  const id = await world.start('claude')
  expect(await world.untilStatus(id, 'FAILED')).toMatchObject({
    reason: 'killed by SIGKILL before it finished',
    exit_signal: 'KILL',
  })
  expect(world.output(id)).toMatch(
    /^session: .*\nunknown: \{"type":"result",.*"well done"\n\[holdfast\] run 1 ended: killed by SIGKILL .*\n$/,
  )
})

test('an event file that is cut under us is told, and the work goes on', async () => {
  const world = await worldWithStandIns()
  world.put('first', INIT + says(['before the cut']))
  world.put('second', says(['after the cut']) + DONE)
  world.act('cat first; until [ -e go ]; do sleep 0.05; done; cat second')
  const id = await world.start('claude')
  await waitFor('it to speak', () => world.output(id).includes('before the cut'))
  const { run_id } = await world.status(id)
  const length = statSync(join(world.home, 'runs', run_id!, 'events.jsonl')).size
  truncateSync(join(world.home, 'runs', run_id!, 'events.jsonl'), 7)
  const note = `[holdfast] the event file was cut from ${length} to 7 bytes\n`
  await waitFor('the cut to be told', () => world.output(id).includes(note))
  world.put('go', '')
  await world.untilStatus(id, 'COMPLETED')
  expect(world.output(id)).toContain(`${note}agent: after the cut\nresult: well done\n`)
})

test.each([
  ['codex', line({ type: 'thread.started', thread_id: '../../etc/passwd' })],
  ['claude', line({ type: 'system', subtype: 'init', session_id: '--dangerously-skip-permissions' })],
  ['opencode', line({ type: 'step_start', sessionID: 'ses_1; rm -rf /' })],
  ['pi', line({ type: 'session', id: '-c' })],
  ['printer', 'session --last\n'],
])('a session id that %s cannot have is refused and told, and none is kept', async (kind, event) => {
  const world = await worldWithStandIns()
  world.put('events', event)
  world.act('cat events')
  const id = await world.start(kind)
  expect(await world.untilStatus(id, 'FAILED')).toMatchObject({ agent_session_id: null })
  expect(world.output(id)).toMatch(new RegExp(`^\\[holdfast\\] refused '.*': not a session id of ${kind}\n`))
  expect(await eventsOf(world, id)).toContain('event: session_refused\n')
})

const PROMPTS = [
  '!touch pwned',
  '\n !touch pwned',
  '/quit',
  'look at @word',
  'a\x1b[201~\r!touch pwned\r\x1b[200~\x03\x04',
]

test.each(KINDS)('a prompt that a terminal would obey is only read by %s', async (kind) => {
  const world = await worldWithStandIns()
  world.act('exit 0')
  for (const prompt of PROMPTS) {
    await world.untilStatus(await world.run(prompt, '--agent', kind, ...ONCE), 'FAILED')
    expect(world.heard()).toEqual(Buffer.from(prompt))
  }
  expect(readdirSync(world.project).sort()).toEqual(['.holdfast', 'act.sh', 'heard.txt'])
})

test('where prompts come line by line, none begins as a command or ends as a mention', async () => {
  const world = await worldWithStandIns()
  world.put('events', INIT + DONE)
  world.act('cat events')
  for (const prompt of PROMPTS) {
    await world.untilStatus(await world.run(prompt, '--agent', 'claude'), 'COMPLETED')
    const { content } = JSON.parse(world.heard().toString()).message
    expect(content).toContain(prompt.trim().split('\x1b', 1)[0])
    expect(content).not.toMatch(/^\s*[!/]|@\w+$|\x1b/)
  }
  expect(readdirSync(world.project).sort()).toEqual(['.holdfast', 'act.sh', 'events', 'heard.txt'])
})

const highWaterMb = (pid: number) =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
