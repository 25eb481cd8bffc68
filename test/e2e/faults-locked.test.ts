import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  agentPid,
  anotherAgent,
  letGoOn,
  nothingIsLeft,
  recovering,
  TWO_STEPS,
  textIn,
  untilStep,
} from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'

const HELD_MS = 10_000
const HOLD = `
const { DatabaseSync } = require(process.argv[2])
const database = new DatabaseSync(process.argv[1])
database.exec('PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE')
console.log('held')
process.stdin.on('end', () => database.exec('ROLLBACK')).resume()
`

/** Another process has the database for itself, as a careless backup would. */
async function holdDatabase(world: World): Promise<() => Promise<unknown>> {
  const isBuiltIn = Number.parseInt(process.versions.node, 10) >= 24
  const library = isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite'
  const child = spawn(process.execPath, ['-e', HOLD, join(world.home, 'holdfast.db'), library])
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (text) => (said += text))
  await waitFor('the lock', () => said.includes('held'))
  const until = performance.now() + HELD_MS
  return async () => {
    await new Promise((later) => setTimeout(later, until - performance.now()))
    child.stdin.end()
    await new Promise((exited) => child.once('exit', exited))
  }
}

test('a database locked for ten seconds: nothing is lost, and what died meanwhile is resumed', {
  timeout: 90_000,
}, async () => {
  const world = await recovering()
  const finishing = await world.run('do: wait-for first.txt\ndo: say at last\ndo: finish early')
  const dying = await world.run(TWO_STEPS)
  await untilStep(world, 'one\n')
  await agentPid(world, finishing)
  const pid = await agentPid(world, dying)
  const release = await holdDatabase(world)
  process.kill(pid, 'SIGKILL')
  await world.ok(['workspace', 'list'])
  const refused = await world.cli(['run', 'do: finish never'])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('STORE_LOCKED') })
  await release()
  await anotherAgent(world, dying, pid)
  letGoOn(world)
  await world.ok(['run', '--wait', 'do: write first.txt go\ndo: finish now'])
  for (const id of [finishing, dying]) await world.untilStatus(id, 'COMPLETED')
  expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
  expect((await world.ok(['logs', finishing])).match(/agent: at last/g)).toHaveLength(1)
  expect(world.heard().filter(({ resumed }) => resumed)).toHaveLength(1)
  expect(world.heard()).toHaveLength(4)
  await nothingIsLeft(world)
})
