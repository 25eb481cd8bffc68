// The whole path with each real agent: `holdfast run`, a daemon killed in the middle, a result in the handoff directory.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realDrivers } from '../../src/agents/all.ts'
import type { Permission } from '../../src/domain/permission.ts'
import { LinuxProcesses } from '../../src/system/processes.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'
import type { AgentKind } from './agent-home.ts'
import { useLab } from './lab.ts'

const lab = useLab()
const GIVEN = ['PATH', 'HOME', 'TERM', 'LANG']
const kinds = realDrivers.map(({ kind }) => kind as AgentKind)

/** The least with which it may write a file. */
const mayWrite = (kind: AgentKind): Permission =>
  realDrivers.find((driver) => driver.kind === kind)!.can.permissions.includes('edit') ? 'edit' : 'default'

async function worldWith(kind: AgentKind) {
  const env = lab.environment(kind)
  mkdirSync(join(lab.home, '.config/holdfast'), { recursive: true })
  writeFileSync(join(lab.home, '.config/holdfast/config.yaml'), 'kill.grace: 1s\n')
  const world = await startWorld({ env })
  const passed = Object.keys(env)
    .filter((name) => !GIVEN.includes(name))
    .flatMap((name) => ['--env', name])
  // Claude Code refuses full permissions to root, unless it is told that it is in a sandbox.
  passed.push('--env', 'IS_SANDBOX=1')
  const run = (prompt: string, permission = mayWrite(kind)) =>
    world.run(prompt, '--agent', kind, '--dir', lab.project, '--permissions', permission, ...passed)
  return { world, run }
}

test.each(kinds)('%s writes a file and hands over its result', async (kind) => {
  const { world, run } = await worldWith(kind)
  const id = await run('DO:write{made.txt}')
  const task = await world.untilStatus(id, 'COMPLETED', 100_000)
  expect(readFileSync(join(lab.project, 'made.txt'), 'utf8')).toBe('written by the lab\n')
  expect(JSON.parse(readFileSync(task.result_file, 'utf8'))).toMatchObject({
    status: 'success',
    result: 'The work is done.',
  })
  expect(task.agent_session_id).toMatch(realDrivers.find((driver) => driver.kind === kind)!.sessionIdPattern)
  expect(await world.ok(['logs', id])).toContain('The work is done.')
  expect((await new LinuxProcesses().carrying([task.run_id!])).get(task.run_id!)).toEqual([])
})

test.each(kinds)('%s works on while the daemon is killed, and is adopted', async (kind) => {
  const { world, run } = await worldWith(kind)
  const id = await run('DO:shell{python3 -c "import time; time.sleep(5) # tool of the lab"}', 'full')
  await waitFor('the tool to run', () => isRunning('time.sleep(5) # tool of the lab'), 60_000)
  const before = await world.status(id)
  await world.killDaemon()
  const task = await world.untilStatus(id, 'COMPLETED', 100_000)
  expect(task.run_id).toBe(before.run_id)
  expect(await world.ok(['logs', id])).toContain('The work is done.')
})

test.each(kinds)('a model that fails fails %s’s task, in the agent’s words', async (kind) => {
  const { world, run } = await worldWith(kind)
  const id = await run('DO:badkey')
  const task = await world.untilStatus(id, 'FAILED', 100_000)
  expect(task.reason).toMatch(/key|auth|401|credential/i)
})

/** The tool itself, not the agent that was told of it. */
const isRunning = (words: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        const [program, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return program!.includes('python') && args.join(' ').includes(words)
      } catch {
        return false
      }
    })
