// The lock is the kernel's. Whatever lies in or at its file, one daemon starts, and never two.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFifo } from '../handoff/make-fifo.ts'
import { secondUser } from '../helpers/second-user.ts'
import { CLI, startWorld } from '../helpers/world.ts'

const GARBAGE: Record<string, (lock: string) => void> = {
  'no database': (lock) => writeFileSync(lock, 'garbage '.repeat(1000)),
  'a few bytes': (lock) => writeFileSync(lock, 'x'),
  'half a database': (lock) =>
    writeFileSync(lock, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(84, 7)])),
  'a torn journal': (lock) => {
    writeFileSync(lock, 'garbage')
    writeFileSync(`${lock}-journal`, 'garbage')
  },
  'a journal that is a directory': (lock) => mkdirSync(`${lock}-journal`),
  'a directory': (lock) => mkdirSync(join(lock, 'with'), { recursive: true }),
  'a FIFO': (lock) => makeFifo(lock),
  'a link that leads nowhere': (lock) => symlinkSync('/nowhere/at/all', lock),
  'a read-only file': (lock) => {
    writeFileSync(lock, 'garbage')
    chmodSync(lock, 0o400)
  },
  'an unreadable file': (lock) => {
    writeFileSync(lock, '')
    chmodSync(lock, 0o000)
  },
}

test.each(Object.entries(GARBAGE))(
  '%s in the place of daemon.lock.db: one daemon of many starts',
  async (_, make) => {
    const world = await startWorld()
    mkdirSync(world.home, { mode: 0o700 })
    make(join(world.home, 'daemon.lock.db'))
    await Promise.all([1, 2, 3, 4].map(() => world.ok(['list'])))
    const pid = world.daemonPid()
    // Those that came second are gone, and the lock holds.
    await world.ok(['list'])
    expect(world.daemonPid()).toBe(pid)
    const ups = readFileSync(join(world.home, 'daemon.log'), 'utf8').match(/"daemon is up"/g)
    expect(ups).toHaveLength(1)
  },
)

test('garbage written into the lock of a living daemon does not make a second one', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const pid = world.daemonPid()
  writeFileSync(join(world.home, 'daemon.lock.db'), 'garbage '.repeat(1000))
  const second = await world.cli(['up', '--foreground'])
  expect(second.stdout).toContain(`pid ${pid}`)
  await world.killDaemon()
  await world.ok(['list'])
  expect(world.daemonPid()).not.toBe(pid)
})

test.for([
  ['000', 0o000],
  ['400', 0o400],
] as const)(
  'rights of %s on the lock file do not matter to a user who is not root either',
  async ([, mode], context) => {
    // Whoever is not root has seen it above.
    const other = secondUser() ?? context.skip('only root can act as another user')
    const world = await startWorld()
    mkdirSync(world.home, { mode: 0o700 })
    const lock = join(world.home, 'daemon.lock.db')
    writeFileSync(lock, 'garbage')
    chmodSync(lock, mode)
    execFileSync('chown', ['-R', String(other.uid), world.root])
    const run = (...args: string[]) => {
      const who = { uid: other.uid, gid: other.uid }
      return spawnSync(process.execPath, [CLI, ...args], {
        cwd: world.project,
        env: world.env,
        encoding: 'utf8',
        ...who,
      })
    }
    if (run('--version').status !== 0) context.skip('others cannot read this checkout')
    const said = run('list')
    expect(said).toMatchObject({ status: 0, stderr: '' })
  },
)
