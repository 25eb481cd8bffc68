// What the pages show in shell, run as it stands: against a real daemon, with the scripted agent in place of a real one.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RuntimeDetailJson } from '../../src/protocol/json/runtime-json.ts'
import type { TriggerListJson } from '../../src/protocol/json/trigger-json.ts'
import { codeBlocks } from '../docs/pages.ts'
import { personAt } from '../helpers/person.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { CLI, finished, startWorld, type World } from '../helpers/world.ts'

const block = (page: string, with_: string): string => {
  const found = codeBlocks(page, 'sh').filter((code) => code.includes(with_))
  expect(found).toHaveLength(1)
  return found[0]!
}

/** A shell whose `holdfast` is the built one. */
function shell(world: World, script: string, env: Record<string, string> = {}) {
  const bin = join(world.root, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'holdfast'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`)
  chmodSync(join(bin, 'holdfast'), 0o755)
  return spawn('sh', ['-eu', '-c', script], {
    cwd: world.project,
    env: { ...world.env, PATH: `${bin}:${world.env.PATH}`, ...env },
  })
}

test('the loop that waits for a task goes on until it has ended, also over a killed daemon', async () => {
  const world = await startWorld()
  const id = await world.run('do: wait-for go\ndo: finish ok')
  const loop = block('docs/orchestrating.md', 'holdfast bridge wait')
  // Each answer comes soon, so that the loop goes round more than once.
  const impatient = loop.replace('tasks=last', 'tasks=last seconds=1')
  expect(impatient).not.toBe(loop)
  const traced = `set -x\n${impatient}\nset +x\nprintf '%s' "$answer"`
  const child = shell(world, traced)
  const said = finished(child)
  let trace = ''
  child.stderr.on('data', (text) => (trace += text))
  await waitFor(
    'the second call',
    () => /bridge wait tasks=last seconds=1 cursor=wait-\S+@\d+/.test(trace),
    30_000,
  )
  await world.killDaemon()
  writeFileSync(join(world.project, 'go'), '')
  const { code, stdout } = await said
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    over: true,
    tasks: [{ session_id: id, final_state: 'completed' }],
  })
})

test('the commands that stand for tmux by hand start a runtime, reach it in a thread, show it and attach to it', async () => {
  const world = await startWorld()
  mkdirSync(join(world.user, 'src/mobile-core'), { recursive: true })
  const lines = block('docs/runtimes.md', 'runtime start reviewer').trim().split('\n')
  expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'holdfast workspace',
    'holdfast runtime',
    'holdfast send',
    'holdfast screen',
    'holdfast attach',
  ])
  const run = async (line: string | undefined) => {
    const { code, stdout, stderr } = await finished(shell(world, line ?? ''))
    expect([line, code, stderr]).toEqual([line, 0, ''])
    return stdout
  }
  const [add, start = '', send, screen, attach = ''] = lines
  await run(add)
  await run(start.replace('--agent codex', '--agent scripted'))
  const name = 'reviewer@mobile_core'
  const see = (): Promise<RuntimeDetailJson> => world.daemon.call('GET /api/runtimes/:id', { id: name })
  expect(await see()).toMatchObject({ state: 'ready', tmux_target: 'agents_mobile_core:reviewer.0' })
  const thread = /th_\w+/.exec(await run('holdfast thread create "the release"'))?.[0]
  await run(`${send} --thread ${thread} --wait submitted`)
  const { triggers } = await world.json<TriggerListJson>(['trigger', 'list', '--to', name])
  expect(triggers).toMatchObject([{ thread, framed: true }])
  const heard = () => world.heard().map((one) => one.heard)
  expect(heard().filter((text) => text.includes('Please review unread updates'))).toEqual([
    `[BRIDGE_TRIGGER id=${triggers[0]?.trigger_id} thread=${thread}]\nPlease review unread updates and post findings.\n[/BRIDGE_TRIGGER]`,
  ])
  expect(await run(screen)).toContain('Please review unread updates')
  const person = personAt(world)
  person.runs(...attach.split(' ').slice(1))
  await person.shows('enter sends')
})
