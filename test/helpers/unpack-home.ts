// Puts a home that an older version left (test/fixtures/homes) into a world, as if it had been left there a while ago.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { loadDatabaseSync } from '../../src/store/database/sqlite-library.ts'
import type { World } from './world.ts'

const HOMES = join(import.meta.dirname, '../fixtures/homes')
/** Stands in a fixture for the boot in which it was made. */
const FIXTURE_BOOT_ID = '00000000-0000-4000-8000-000000000000'
const TICK_MS = 10
/** Larger numbers in a home are times, smaller ones are not. */
const EARLIEST_MS = 1_500_000_000_000
const PRIVATE = { mode: 0o600 }

export type Left = {
  readonly agoMs: number
  /** `this`: its processes ended without a trace. `another`: they ended with the machine. */
  readonly boot: 'this' | 'another'
}

/** To be called before the world's first command. */
export function unpackHome(version: string, world: World, left: Left): void {
  const from = join(HOMES, version)
  const change = changeFor(JSON.parse(readFileSync(join(from, 'left.json'), 'utf8')), left, world)
  for (const part of ['home', 'project', 'user'] as const) unpack(join(from, part), world[part], change)
  changeDatabase(join(world.home, 'holdfast.db'), change)
  const shim = readFileSync(join(from, 'shim'))
  for (const run of readdirSync(join(world.home, 'runs')))
    writeFileSync(join(world.home, 'runs', run, 'shim'), shim, PRIVATE)
  for (const id of readdirSync(join(world.home, 'tasks'))) recordView(id, world)
}

/** What becomes of texts, of times, and of the start times of processes, which count from the boot. */
type Change = {
  readonly text: (text: string) => string
  readonly byMs: number
  readonly byMonoMs: number
}

/** Places become the world's. All times move alike, so that nothing in the fixture grows old. */
function changeFor(made: { at: number; monoMs: number }, { agoMs, boot }: Left, world: World): Change {
  // In whole seconds: times that were cut to seconds then stay equal.
  const byMs = Math.round((Date.now() - agoMs - made.at) / 1000) * 1000
  const byMonoMs = Number(process.hrtime.bigint() / 1_000_000n) - agoMs - made.monoMs
  const bootId = boot === 'another' ? FIXTURE_BOOT_ID : readFileSync(BOOT_ID_FILE, 'utf8').trim()
  const text = (before: string) =>
    before
      .replaceAll(/\/fixture\/(home|project|user)\b/g, (_, part: 'home' | 'project' | 'user') => world[part])
      .replaceAll(ISO_TIME, (time) => isoMoved(time, byMs))
      .replaceAll(TIME_MS, (time) => String(Number(time) + byMs))
      .replaceAll(PROCESS, (_, pid, ticks) => `${pid} ${ticksMoved(Number(ticks), byMonoMs)} ${bootId}`)
      .replaceAll(FIXTURE_BOOT_ID, bootId)
  return { text, byMs, byMonoMs }
}

const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id'
const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g
const TIME_MS = /\b1[5-9]\d{11}\b/g
const PROCESS = new RegExp(`\\b(\\d+) (\\d+) ${FIXTURE_BOOT_ID}`, 'g')

/** As long as before, because the store counts the bytes of some files. */
function isoMoved(time: string, byMs: number): string {
  const moved = new Date(Date.parse(time) + byMs).toISOString()
  return time.includes('.') ? moved : moved.replace(/\.\d+Z$/, 'Z')
}

const ticksMoved = (ticks: number, byMonoMs: number) => Math.max(1, ticks + Math.round(byMonoMs / TICK_MS))

function unpack(from: string, to: string, change: Change): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(from).filter((name) => name !== '.gitkeep')) {
    const source = join(from, name)
    const target = join(to, name.replace(/^dot-/, '.'))
    const found = lstatSync(source)
    if (found.isDirectory()) unpack(source, target, change)
    else if (found.isSymbolicLink()) symlinkSync(change.text(readlinkSync(source)), target)
    else if (name === 'holdfast.db') writeFileSync(target, readFileSync(source), PRIVATE)
    else writeFileSync(target, change.text(readFileSync(source, 'utf8')), PRIVATE)
  }
}

function changeDatabase(path: string, { text, byMs, byMonoMs }: Change): void {
  const database = new (loadDatabaseSync())(path)
  database.function('moved', (value: unknown) => {
    if (typeof value === 'string') return text(value)
    return typeof value === 'number' && value > EARLIEST_MS ? value + byMs : value
  })
  database.function('ticks', (value: unknown) => ticksMoved(Number(value), byMonoMs))
  const columns = database.prepare(`
    select tables.name as home, columns.name as name
    from sqlite_master tables join pragma_table_info(tables.name) columns where tables.type = 'table'`)
  for (const { home, name } of columns.all())
    database.exec(`update "${home}" set "${name}" = moved("${name}") where "${name}" is not null`)
  database.exec('update runs set start_ticks = ticks(start_ticks) where start_ticks is not null')
  database.exec(`update runs set live_since_mono = live_since_mono + (${byMonoMs})`)
  database.close()
}

/** A handoff directory is known by its inode and its birth, which the copy has of its own. */
function recordView(id: string, { home, project }: World): void {
  const record = join(home, 'tasks', id, 'view.json')
  const view = join(project, '.holdfast/sessions', id)
  if (!existsSync(record)) return
  const { ino, birthtimeNs } = statSync(view, { bigint: true })
  writeFileSync(record, JSON.stringify({ ino: String(ino), born: String(birthtimeNs) }), PRIVATE)
}
