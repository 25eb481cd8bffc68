import { fork } from 'node:child_process'
import { type EventReader, readEvents } from './lib/event-reader.ts'
import { type CommitAsk, type ServeAsk, serveEvents } from './lib/event-server.ts'
import { makeHome } from './lib/home.ts'
import { insertTasks } from './lib/many-tasks.ts'
import { cpuMs } from './lib/proc.ts'
import { amountRow, limitRow, report } from './lib/report.ts'
import { until } from './lib/until.ts'

const OF_ONE_TASK = 990
const OF_EVERYTHING = 10
const PER_SECOND = 1000
const SECONDS = 10
/** A bench that hangs is broken. */
const LONGEST_MS = 150_000
const BUDGET = { share: 0.99, ms: 250 }

const serving = process.argv[2]
if (serving !== undefined) await serveEvents(JSON.parse(serving) as ServeAsk)
else await measure()

async function measure(): Promise<void> {
  setTimeout(() => process.exit(1), LONGEST_MS).unref()
  const home = makeHome()
  await insertTasks(home, OF_ONE_TASK)
  const tasks = Array.from(
    { length: OF_ONE_TASK },
    (_, at) => `20251118-120000-task-${String(at + 1).padStart(7, '0')}`,
  )
  const ask: ServeAsk = { database: home.paths.database, socket: home.paths.socket, nodeId: home.nodeId }
  const server = fork(process.argv[1]!, [JSON.stringify(ask)])
  await new Promise((resolve) => server.once('message', resolve))
  const commit = async () => {
    const before = cpuMs(server.pid!)
    const asked: CommitAsk = { perSecond: PER_SECOND, seconds: SECONDS, tasks }
    const from = performance.now()
    server.send(asked)
    await new Promise((resolve) => server.once('message', resolve))
    return { cpu: () => (100 * (cpuMs(server.pid!) - before)) / (performance.now() - from) }
  }

  const alone = (await commit()).cpu()
  const one = await readEvents(home.paths.socket)
  await commit()
  await until('the one reader to have all', () => one.seqs.length >= PER_SECOND * SECONDS)
  one.end()

  const readers: EventReader[] = []
  for (const id of tasks) readers.push(await readEvents(home.paths.socket, `?task=${id}`))
  const ofAll: EventReader[] = []
  for (let n = 0; n < OF_EVERYTHING; n++) ofAll.push(await readEvents(home.paths.socket))
  const { cpu } = await commit()
  const arrived = () => readers.reduce((sum, { seqs }) => sum + seqs.length, 0)
  const all = PER_SECOND * SECONDS
  await until(
    'every reader to have all',
    () => arrived() >= all && ofAll.every(({ seqs }) => seqs.length >= all),
  ).catch(() => undefined)
  const used = cpu()

  report(
    `How many readers of events can one daemon serve? (${PER_SECOND} events a second for ${SECONDS} s; ` +
      `${OF_ONE_TASK} readers of one task each and ${OF_EVERYTHING} of everything; floor: one reader, and none)`,
    [
      limitRow(
        'commit → a reader of one task',
        one.delays,
        readers.flatMap(({ delays }) => delays),
        BUDGET,
      ),
      limitRow(
        'commit → a reader of everything',
        one.delays,
        ofAll.flatMap(({ delays }) => delays),
        BUDGET,
      ),
      amountRow('events that did not arrive, or out of order', null, lost(readers, ofAll, all), String, 0),
      amountRow('one core, with the commits', alone, used, (share) => `${share.toFixed(0)} %`, 100),
    ],
  )
  server.kill('SIGKILL')
  home.end()
  process.exit(0)
}

/** Every reader of everything must have all numbers without a gap; those of one task have each number once together. */
function lost(readers: readonly EventReader[], ofAll: readonly EventReader[], all: number): number {
  const gaps = ({ seqs }: EventReader) =>
    all - seqs.filter((seq, at) => seq === seqs[0]! + at).length + Math.max(0, seqs.length - all)
  const told = readers.flatMap(({ seqs }) => seqs)
  return (
    ofAll.reduce((sum, reader) => sum + gaps(reader), 0) +
    Math.abs(all - told.length) +
    (told.length - new Set(told).size)
  )
}
