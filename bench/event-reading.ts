import { fork } from 'node:child_process'
import { appendFileSync, closeSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realDrivers } from '../src/agents/all.ts'
import { homePaths } from '../src/domain/names/home.ts'
import { asRunId } from '../src/domain/names/ids.ts'
import type { AgentDriver } from '../src/ports/run/agent-driver.ts'
import { splitReading } from '../src/supervisor/reading/split-reading.ts'
import { FileRunFiles } from '../src/system/run-files/file-run-files.ts'
import { eventStream } from './lib/fixtures.ts'
import { makeHome } from './lib/home.ts'
import { highWaterMb } from './lib/proc.ts'
import { amountRow, report, speedRow } from './lib/report.ts'
import { interleaved } from './lib/samples.ts'

const MB = 1_000_000
const STREAM_BYTES = 64 * MB
const LARGE_BYTES = 1000 * MB
const ROUNDS = 7
/** As the daemon reads. */
const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 0x0a
const LARGE = 'large'

type Reader = Pick<AgentDriver, 'readEvent'>
const onlyLines: Reader = { readEvent: () => [] }

const [heldHome] = process.argv.slice(2)
if (heldHome === undefined) await measure()
else process.send!(await memoryOver(heldHome))
process.exit(0)

async function measure(): Promise<void> {
  const home = makeHome()
  const files = realDrivers.map((driver) => ({
    driver,
    ...write(home.paths.home, driver.kind, STREAM_BYTES),
  }))
  const read = (kind: string, reader: Reader) => () => cpuMs(() => readAll(home.paths.home, kind, reader))
  const rows = []
  for (const { driver, path, bytes } of files) {
    const took = await interleaved(ROUNDS, {
      floor: () => cpuMs(() => readPlainly(path)),
      lines: read(driver.kind, onlyLines),
      events: read(driver.kind, driver),
    })
    rows.push(speedRow(`${driver.kind}: into lines`, bytes, took.floor, took.lines, 200))
    rows.push(speedRow(`${driver.kind}: into what they mean`, bytes, took.floor, took.events, 50))
  }
  write(home.paths.home, LARGE, LARGE_BYTES)
  const { early, late } = await inChild(home.paths.home)
  const mb = (amount: number) => `${amount.toFixed(0)} MB`
  report(
    `How fast are events read? (recorded streams, repeated to ${STREAM_BYTES / MB} MB; per second of CPU; floor: the file is read, no more)`,
    [
      ...rows,
      amountRow('memory after 64 MB, its most', null, early, mb),
      amountRow('… how much more after 1 GB', null, late - early, mb, 64),
    ],
  )
}

/** One core's worth, whatever else the machine does; all threads count. */
async function cpuMs(work: () => unknown): Promise<number> {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}

function write(home: string, run: string, bytes: number) {
  const path = `${homePaths(home).run(asRunId(run))}/events.jsonl`
  mkdirSync(dirname(path), { recursive: true })
  const stream = eventStream(run === LARGE ? 'claude' : run, Math.min(bytes, STREAM_BYTES))
  let written = 0
  for (; written < bytes; written += stream.length) appendFileSync(path, stream)
  return { path, bytes: written }
}

function readPlainly(path: string): void {
  const file = openSync(path, 'r')
  const buffer = Buffer.alloc(CHUNK_BYTES)
  while (readSync(file, buffer) > 0);
  closeSync(file)
}

async function readAll(home: string, run: string, reader: Reader, onPart = (_read: number) => {}) {
  const runFiles = new FileRunFiles({
    home: homePaths(home),
    shimSource: '',
    ownCommand: [process.execPath, 'cli.cjs'],
  })
  for (let offset = 0; ; ) {
    const { bytes } = await runFiles.readEvents(asRunId(run), offset, CHUNK_BYTES)
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end === 0) return
    for (const part of splitReading(bytes.subarray(0, end), reader, null)) offset += part.bytes
    onPart(offset)
  }
}

/** In a process of its own, which has done nothing else. */
function inChild(home: string): Promise<Awaited<ReturnType<typeof memoryOver>>> {
  const child = fork(fileURLToPath(import.meta.url), [home], { execArgv: [] })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as never))
    child.once('exit', (code) => reject(new Error(`the reader of 1 GB ended with ${code}`)))
  })
}

async function memoryOver(home: string) {
  const driver = realDrivers.find(({ kind }) => kind === 'claude')!
  let early = Number.NaN
  await readAll(home, LARGE, driver, (read) => {
    if (Number.isNaN(early) && read >= STREAM_BYTES) early = highWaterMb(process.pid)
  })
  return { early, late: highWaterMb(process.pid) }
}
