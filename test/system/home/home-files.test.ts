import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { homePaths } from '../../../src/domain/names/home.ts'
import { diskUsage } from '../../../src/system/disk/usage.ts'
import { DiskHomeFiles } from '../../../src/system/home/home-files.ts'
import { gzipPacking } from '../../../src/system/logs/packing.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const MB = 1024 ** 2
const DAY_MS = 86_400_000
const RUN = '0193a1b2-0000-7000-8000-000000000001'

function house() {
  const home = homePaths(tempDir())
  const clock = { at: Date.now(), now: () => clock.at }
  for (const dir of [home.runs, home.exits, home.tasks, `${home.home}/logs`]) mkdirSync(dir)
  return { home, clock, files: new DiskHomeFiles({ home, clock, packing: gzipPacking }) }
}

test('disk use is what the files take, through all directories, without following links', async () => {
  const dir = tempDir()
  const elsewhere = tempDir()
  writeFileSync(join(elsewhere, 'big'), Buffer.alloc(8 * MB, 1))
  mkdirSync(join(dir, 'a/b'), { recursive: true })
  writeFileSync(join(dir, 'a/b/file'), Buffer.alloc(2 * MB, 1))
  symlinkSync(elsewhere, join(dir, 'link'))
  symlinkSync(join(elsewhere, 'big'), join(dir, 'a/link'))
  const bytes = await diskUsage([dir, join(dir, 'missing')], 1000)
  expect(bytes).toBeGreaterThanOrEqual(2 * MB)
  expect(bytes).toBeLessThan(3 * MB)
})

test('a hole takes no disk, and a second name no more of it', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'file'), Buffer.alloc(MB, 1))
  linkSync(join(dir, 'file'), join(dir, 'again'))
  writeFileSync(join(dir, 'hole'), '')
  truncateSync(join(dir, 'hole'), 1000 * MB)
  expect(await diskUsage([dir], 1000)).toBeLessThan(2 * MB)
})

test('looking has an end, however many files there are', async () => {
  const dir = tempDir()
  for (let n = 0; n < 30; n++) writeFileSync(join(dir, `${n}`), Buffer.alloc(64 * 1024, 1))
  const some = await diskUsage([dir], 10)
  expect(some).toBeGreaterThan(0)
  expect(some).toBeLessThan(20 * 64 * 1024)
})

test('only names that could be ours are found, and only those are removed', async () => {
  const { home, files } = house()
  mkdirSync(`${home.runs}/${RUN}/claim`, { recursive: true })
  mkdirSync(`${home.runs}/mine`)
  mkdirSync(`${home.runs}/.${RUN}.tmp`)
  writeFileSync(`${home.exits}/${RUN}.json`, '{}')
  writeFileSync(`${home.exits}/notes.json`, '{}')
  mkdirSync(`${home.tasks}/20251118-153042-grafana`)
  mkdirSync(`${home.tasks}/backup`)
  const kept = await files.kept()
  expect(kept).toEqual([
    { kind: 'run', id: RUN },
    { kind: 'exit', id: RUN },
    { kind: 'task', id: '20251118-153042-grafana' },
  ])
  for (const one of kept) {
    expect(files.changedAt(one)).toBeGreaterThan(0)
    await files.remove(one)
    expect(files.changedAt(one)).toBeUndefined()
  }
  expect(readdirSync(home.runs).sort()).toEqual([`.${RUN}.tmp`, 'mine'])
  expect(readdirSync(home.exits)).toEqual(['notes.json'])
  expect(readdirSync(home.tasks)).toEqual(['backup'])
})

test('a log is put aside after a week, packed, and four are kept', async () => {
  const { home, clock, files } = house()
  writeFileSync(home.orchestratorLog, 'week 0\n')
  await files.rotateLogs()
  expect(readFileSync(home.orchestratorLog, 'utf8')).toBe('week 0\n')
  for (let week = 0; week < 6; week++) {
    writeFileSync(home.orchestratorLog, `week ${week}\n`)
    // A file's time has parts of a millisecond: a week after the same millisecond can be a little less than a week.
    clock.at = Date.now() + (week + 1) * 7 * DAY_MS + 1
    await files.rotateLogs()
    expect(existsSync(home.orchestratorLog)).toBe(false)
  }
  const aside = readdirSync(`${home.home}/logs`).sort()
  expect(aside).toHaveLength(4)
  const texts = aside.map((name) => gunzipSync(readFileSync(`${home.home}/logs/${name}`)).toString())
  expect(texts).toEqual(['week 2\n', 'week 3\n', 'week 4\n', 'week 5\n'])
})

test('a log that a crash kept from being packed is packed later; other files are left alone', async () => {
  const { home, files } = house()
  writeFileSync(`${home.orchestratorLog}.2025-11-18`, 'old\n')
  writeFileSync(`${home.orchestratorLog}.mine`, 'mine\n')
  writeFileSync(home.daemonLog, 'young\n')
  await files.rotateLogs()
  expect(readdirSync(`${home.home}/logs`).sort()).toEqual([
    'orchestrator.log.2025-11-18.gz',
    'orchestrator.log.mine',
  ])
  expect(readFileSync(home.daemonLog, 'utf8')).toBe('young\n')
})

test('packing and unpacking give the same bytes, and leave one file', async () => {
  const path = join(tempDir(), 'log')
  await gzipPacking.pack(path)
  expect(await gzipPacking.unpack(path)).toBe(false)
  writeFileSync(path, 'x'.repeat(3 * MB))
  writeFileSync(`${path}.gz.tmp`, 'left by a crash')
  await gzipPacking.pack(path)
  expect(existsSync(path)).toBe(false)
  expect(await gzipPacking.unpack(path)).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe('x'.repeat(3 * MB))
  expect(existsSync(`${path}.gz`)).toBe(false)
})
