// The package is replaced while agents work: they go on, callers are told, and the new daemon adopts where the old one read.
import { cpSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { HealthJson } from '../../src/protocol/json/daemon-json.ts'
import {
  agentPid,
  letGoOn,
  nothingIsLeft,
  recovering,
  TWO_STEPS,
  textIn,
  toldOnce,
  untilPhase,
  untilStep,
} from '../helpers/faults.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { CLI } from '../helpers/world.ts'

const BUILT = dirname(CLI)
const { version: OLD } = JSON.parse(readFileSync(join(BUILT, '../package.json'), 'utf8'))
const NEW = '99.0.0'

/** An installation of its own, with what it needs beside it. */
function install(): string {
  const dir = tempDir('hfpkg')
  cpSync(BUILT, join(dir, 'dist'), { recursive: true })
  symlinkSync(join(BUILT, '../node_modules'), join(dir, 'node_modules'))
  return join(dir, 'dist')
}

/** As package managers do it: the new files are put in the place of the old ones. */
function upgrade(dist: string): void {
  const fresh = `${dist}.new`
  cpSync(dist, fresh, { recursive: true })
  const files = readdirSync(fresh, { withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name } of files) {
    const text = readFileSync(join(fresh, name), 'utf8')
    writeFileSync(join(fresh, name), text.replaceAll(`"${OLD}"`, `"${NEW}"`))
  }
  renameSync(dist, `${dist}.old`)
  renameSync(fresh, dist)
}

test('an upgrade under running agents costs nothing: they are adopted by the new daemon at the stored offset', async () => {
  const dist = install()
  const world = await recovering('', { cli: join(dist, 'cli.cjs') })
  const headless = await world.run(`do: say before\n${TWO_STEPS}`)
  const terminal = await world.run('do: append tui.txt one\ndo: wait-for go\ndo: append tui.txt two', ...TUI)
  await untilStep(world, 'one\n')
  await untilPhase(world, terminal, 'working')
  const pids = [await agentPid(world, headless), await agentPid(world, terminal)]
  upgrade(dist)

  const told = await world.cli(['status', headless])
  expect(told).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`The daemon has version ${OLD}, this command has version ${NEW}`),
  })
  const later = await world.run('do: append later.txt done\ndo: finish later')
  await world.untilStatus(later, 'COMPLETED')
  await world.ok(['down'])
  expect(await world.json<HealthJson>(['up'])).toMatchObject({ version: NEW })

  expect([await agentPid(world, headless), await agentPid(world, terminal)]).toEqual(pids)
  letGoOn(world)
  await untilPhase(world, terminal, 'idle')
  expect(await world.untilStatus(headless, 'COMPLETED')).toMatchObject({ retries: 0 })
  expect((await world.ok(['logs', headless])).match(/agent: before/g)).toHaveLength(1)
  expect([textIn(world, 'done.txt'), textIn(world, 'tui.txt')]).toEqual(['one\ntwo\n', 'one\ntwo\n'])
  expect(world.heard()).toHaveLength(3)
  expect((await world.cli(['status', headless])).stderr).toBe('')
  await world.ok(['kill', terminal, '--force'])
  await nothingIsLeft(world)
}, 60_000)

test('an agent that dies after the upgrade is resumed by the old daemon, though its files were replaced', async () => {
  const dist = install()
  const world = await recovering('', { cli: join(dist, 'cli.cjs') })
  const id = await world.run(TWO_STEPS)
  await untilStep(world, 'one\n')
  const pid = await agentPid(world, id)
  upgrade(dist)
  process.kill(pid, 'SIGKILL')
  letGoOn(world)
  await world.untilStatus(id, 'COMPLETED')
  expect(await world.health()).toMatchObject({ version: OLD })
  expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
  toldOnce(world, 1)
  await nothingIsLeft(world)
}, 60_000)

const TUI = ['--mode', 'interactive']
