import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { killProcessesBelow, processesBelow } from '../../../src/system/processes/processes-below.ts'
import { execForEver } from '../../helpers/exec-for-ever.ts'
import { isAlive } from '../../helpers/is-alive.ts'
import { oneAfterAnother } from '../../helpers/one-after-another.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { signal } from '../../helpers/world.ts'

/** A process of its own, found by its arguments or its environment. */
function start(argument: string, env: Record<string, string> = {}): number {
  const child = spawn('sh', ['-c', 'sleep 1000; true', argument], {
    env: { PATH: process.env.PATH!, ...env },
    detached: true,
  })
  // Its child too.
  onTestFinished(() => signal(-child.pid!, 'SIGKILL'))
  return child.pid!
}
const pids = (dir: string) => processesBelow(dir).map(({ pid }) => pid)

test('a process belongs to a directory by an argument or by its environment, and so do its children', async () => {
  const dir = tempDir()
  const [byArgument, byEnvironment] = [start(`${dir}/x`), start('x', { SOMEWHERE: `${dir}/y` })]
  const stranger = start(`${dir}-other/x`)
  await waitFor('both and a child', () => pids(dir).length === 3)
  expect(pids(dir)).toEqual(expect.arrayContaining([byArgument, byEnvironment]))
  expect(pids(dir)).not.toContain(stranger)
})

test('all are killed, children too, and nobody else', async () => {
  const dir = tempDir()
  const [mine, stranger] = [start('x', { SOMEWHERE: `${dir}/y` }), start('x')]
  await waitFor('it and its child', () => pids(dir).length === 2)
  expect(killProcessesBelow(dir)).toBe(true)
  expect(pids(dir)).toEqual([])
  expect([isAlive(mine), isAlive(stranger)]).toEqual([false, true])
})

test('those that become another program again and again are seen at every look', async () => {
  const all = execForEver(8)
  for (let look = 0; look < 8; look++) expect(pids(all.dir)).toEqual(expect.arrayContaining(all.pids))
})

test('the living one of those that start a child and end, one after another, is seen', () => {
  const dir = oneAfterAnother()
  for (let look = 0; look < 8; look++) expect(pids(dir)).not.toEqual([])
})
