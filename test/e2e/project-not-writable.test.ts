import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installedCopy } from '../helpers/installed-copy.ts'
import { secondUser } from '../helpers/second-user.ts'
import { CLI, startWorld, type World } from '../helpers/world.ts'

const REFUSED = { status: 1, stderr: expect.stringContaining('(PROJECT_NOT_WRITABLE)') }

function expectNothingLeft(world: World) {
  for (const place of ['tasks', 'drafts', 'runs'])
    expect(existsSync(join(world.home, place)) ? readdirSync(join(world.home, place)) : []).toEqual([])
}

test('something else where the project has its .holdfast directory: said before the task starts', async () => {
  const world = await startWorld()
  writeFileSync(join(world.project, '.holdfast'), '')
  const said = await world.cli(['run', 'do: finish ok'])
  expect(said).toMatchObject({ code: 1, stderr: REFUSED.stderr })
  expect(said.stderr).toContain(`${world.project}/.holdfast (not a directory)`)
  expect((await world.json<{ tasks: unknown[] }>(['list'])).tasks).toEqual([])
  expect((await world.json<{ workspaces: unknown[] }>(['workspace', 'list'])).workspaces).toEqual([])
  expectNothingLeft(world)
})

test('a project of somebody else, or with rights that forbid it: said before the task starts', async () => {
  const world = await startWorld()
  const other = secondUser()
  const who = other === undefined ? {} : { uid: other.uid, gid: other.uid }
  const cli = other === undefined ? CLI : installedCopy(join(world.root, 'app'))
  if (other !== undefined) execFileSync('chown', ['-R', String(other.uid), world.root])
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [cli, ...args], {
      cwd: world.project,
      env: world.env,
      encoding: 'utf8',
      ...who,
    })
  for (const place of ['', '.holdfast', '.holdfast/sessions']) {
    const dir = join(world.project, place)
    mkdirSync(dir, { recursive: true })
    if (other !== undefined) execFileSync('chown', ['-R', String(other.uid), world.project])
    chmodSync(dir, 0o555)
    expect(run('run', 'do: finish ok')).toMatchObject(REFUSED)
    expect(run('workspace', 'list').stdout).not.toContain(world.project)
    expectNothingLeft(world)
    chmodSync(dir, 0o755)
  }
  expect(run('run', 'do: finish ok', '--wait')).toMatchObject({ status: 0 })
})

test('a project on a file system that is mounted read-only: said before the task starts', async (context) => {
  const world = await startWorld()
  const mount = (...args: string[]) => spawnSync('mount', args).status === 0
  if (!mount('--bind', world.project, world.project)) return context.skip('mounting is not possible here')
  onTestFinished(() => void spawnSync('umount', [world.project]))
  if (!mount('-o', 'remount,bind,ro', world.project)) return context.skip('remounting is not possible here')
  const said = await world.cli(['run', 'do: finish ok'])
  expect(said).toMatchObject({ code: 1, stderr: REFUSED.stderr })
  expect(said.stderr).toContain('EROFS')
  expectNothingLeft(world)
})
