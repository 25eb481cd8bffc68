// An agent that Holdfast knows only from config.yaml: a real shell script, which keeps what it got and plays act.sh.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ThreadJson, UnreadJson } from '../../src/protocol/json/thread-json.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { startWorld } from '../helpers/world.ts'

const SCRIPT = `#!/bin/sh
printf '%s\\n' "$@" >args.txt
if [ "$1" = file ]; then cat "$2" >heard.txt; else cat >heard.txt; fi
env >env.txt
. ./act.sh
`
const NASTY = '$(touch pwned) `touch pwned` "; touch pwned; \' \\n %s {dir} {prompt_file}\n--help\n! /x @y'
const SESSION = '11111111-2222-3333-4444-555555555555'

async function worldWithAgents() {
  const bin = tempDir('hfbin')
  const program = join(bin, 'my agent')
  writeFileSync(program, SCRIPT, { mode: 0o755 })
  const plain = { argv: [program, 'stdin'], env: ['MY_*'] }
  const byFile = {
    argv: [program, 'file', '{prompt_file}', '{dir}'],
    model: ['--model', '{model}'],
    resume: [program, '{session_id}'],
    patterns: {
      session: 'session ([0-9a-f-]{36})',
      done: '^All done: (.*)',
      failed: '^Error: (.*)',
      asking: '^\\? (.*)',
    },
  }
  const agents = JSON.stringify({ plain, worded: byFile, absent: { argv: ['no-such-program'] } })
  const world = await startWorld({ config: `agents: ${agents}\n`, env: { MY_KEY: 'k', OTHER_KEY: 'o' } })
  const inProject = (name: string) => join(world.project, name)
  return {
    ...world,
    program,
    inProject,
    text: (name: string) => readFileSync(inProject(name), 'utf8'),
    act: (script: string) => writeFileSync(inProject('act.sh'), script),
    result: (id: string) =>
      JSON.parse(readFileSync(join(world.project, '.holdfast/sessions', id, 'result.json'), 'utf8')),
  }
}

test('without a done pattern exit 0 is success, and its last lines are the result', async () => {
  const world = await worldWithAgents()
  world.act("printf 'one\\n\\n\\033[32mtwo\\033[0m\\nthree without a line end'")
  const id = await world.run(NASTY, '--agent', 'plain')
  expect(await world.untilStatus(id, 'COMPLETED')).toMatchObject({
    reason: 'exited with code 0',
    exit_code: 0,
    agent_kind: 'plain',
  })
  expect(world.result(id)).toMatchObject({ status: 'success', result: 'one\ntwo\nthree without a line end' })
  expect(world.text('heard.txt')).toContain(NASTY)
  expect(world.text('args.txt')).toBe('stdin\n')
  expect(existsSync(world.inProject('pwned'))).toBe(false)
  expect(world.text('env.txt')).toContain('MY_KEY=k')
  expect(world.text('env.txt')).not.toContain('OTHER_KEY')
  expect(await world.ok(['logs', id])).toContain('agent: three without a line end')

  world.act('echo working; echo no such model >&2; exit 3')
  const failed = await world.untilStatus(await world.run('go', '--agent', 'plain'), 'FAILED')
  expect(failed).toMatchObject({ exit_code: 3, reason: 'exited with code 3: no such model' })

  const refused = await world.cli(['run', 'go', '--agent', 'plain', '--model', 'x'])
  expect(refused.stderr).toContain('AGENT_CANNOT')
  expect((await world.cli(['run', 'go', '--agent', 'absent'])).stderr).toContain(
    "There is no 'no-such-program' on your PATH. Install it: as its own documentation says",
  )
})

test('its script calls the tools by `holdfast bridge`, as the run that it is', async () => {
  const world = await worldWithAgents()
  const { thread_id: thread } = await world.json<ThreadJson>(['thread', 'create', 'release'])
  world.act(
    `holdfast bridge post_message thread=${thread} text='Found it.' kind=finding && holdfast bridge submit_result result='{"found":1}'`,
  )
  const id = await world.run('go', '--agent', 'plain')
  await world.untilStatus(id, 'COMPLETED')
  const { messages } = await world.json<UnreadJson>(['thread', 'read', thread])
  expect(messages).toMatchObject([{ author: `task:${id}`, kind: 'finding', text: 'Found it.' }])
  expect((await world.daemon.call('GET /api/tasks/:id/result', { id })).result).toEqual({ found: 1 })
})

test('with a done pattern its word is needed; the prompt comes by file, the session id is kept', async () => {
  const world = await worldWithAgents()
  world.act(`echo "session ${SESSION}"; printf 'All done: 3 files'`)
  const id = await world.run(NASTY, '--agent', 'worded', '--model', '$(x) y')
  expect(await world.untilStatus(id, 'COMPLETED')).toMatchObject({
    reason: 'the agent finished',
    agent_session_id: SESSION,
  })
  expect(world.result(id)).toMatchObject({ status: 'success', result: '3 files' })
  expect(world.text('heard.txt')).toContain(NASTY)
  const [how, file, ...rest] = world.text('args.txt').trimEnd().split('\n')
  expect([how, ...rest]).toEqual(['file', world.project, '--model', '$(x) y'])
  expect(file).toMatch(/\/files\/prompt\.txt$/)
  expect(existsSync(file!)).toBe(false)

  world.act('echo I did a lot')
  const silent = await world.untilStatus(await world.run('go', '--agent', 'worded'), 'FAILED')
  expect(silent.reason).toBe('exited with code 0, but without a result')
  world.act('echo "Error: no key"')
  const failed = await world.untilStatus(await world.run('go', '--agent', 'worded'), 'FAILED')
  expect(failed).toMatchObject({ exit_code: 0, reason: 'no key' })
})

test('a line that matches the asking pattern is a question, and a task keeps its agent when config and daemon are gone', async () => {
  const world = await worldWithAgents()
  world.act('echo "? Overwrite it"; until [ -e go ]; do sleep 0.05; done; echo "All done: overwritten"')
  const id = await world.run('go', '--agent', 'worded')
  const asking = await world.untilStatus(id, 'waiting_input')
  expect(asking).toMatchObject({ phase: 'asking', reason: 'Overwrite it' })
  await world.killDaemon()
  writeFileSync(join(world.user, '.config/holdfast/config.yaml'), 'agent: scripted\n')
  await world.ok(['up'])
  writeFileSync(world.inProject('go'), '')
  await world.untilStatus(id, 'COMPLETED')
  expect(world.result(id)).toMatchObject({ result: 'overwritten' })
  const unknown = await world.cli(['run', 'go', '--agent', 'worded'])
  expect(unknown.stderr).toContain('AGENT_UNKNOWN')
})

test('the CLI knows the agents of the config without a daemon, and runs none of them to find out', async () => {
  const world = await worldWithAgents()
  const { agents } = await world.json<{ agents: { kind: string }[] }>(['agents'])
  expect(agents.find(({ kind }) => kind === 'plain')).toMatchObject({
    path: world.program,
    version: null,
    tested: null,
    tested_versions: null,
    can: { modes: ['headless'], resume: false },
  })
  expect(agents.find(({ kind }) => kind === 'absent')).toMatchObject({ path: null })
  expect(existsSync(world.inProject('args.txt'))).toBe(false)
  expect(await world.ok(['agents', 'events', 'worded'], { input: '? Go on\nAll done: yes' })).toBe(
    '{"kind":"asked","question":"Go on","options":[]}\n{"kind":"finished","ok":true,"text":"yes"}\n',
  )
  expect((await world.cli(['doctor'])).stdout).toMatch(/ok\s+plain\s+from the config/)
  writeFileSync(join(world.user, '.config/holdfast/config.yaml'), 'agents: {aider: {argv: aider}}\n')
  expect((await world.cli(['agents'])).stderr).toContain(
    "config.yaml: 'agents.aider.argv' must be a list of texts",
  )
  expect((await world.cli(['doctor'])).stdout).toMatch(/FAIL\s+config\s+.*agents\.aider\.argv/)
  expect(existsSync(join(world.home, 'daemon.json')), 'a daemon was started').toBe(false)
})
