import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CreatedJson } from '../src/protocol/json/create-json.ts'
import type { TaskDetailJson } from '../src/protocol/json/task-json.ts'
import type { TriggerListJson } from '../src/protocol/json/trigger-json.ts'
import { openSqlite } from '../src/store/database/sqlite-library.ts'
import { type Daemon, startDaemon } from './lib/daemon.ts'
import { type Home, makeHome } from './lib/home.ts'
import { limitRow, report } from './lib/report.ts'
import { until } from './lib/until.ts'

const ROUNDS = 30
const QUIET_MS = 100
const BUDGET = { share: 0.99, ms: 500 }

const start = async (home: Home, daemon: Daemon, asked: object): Promise<string> => {
  const common = { dir: home.project, env: { PATH: home.env.PATH }, allow_dir: true }
  const { task } = await daemon.ask<CreatedJson>('POST', '/api/tasks', { ...common, ...asked })
  return task.session_id
}
const look = (id: string, daemon: Daemon) => daemon.ask<TaskDetailJson>('GET', `/api/tasks/${id}`)

/** A parent at rest: in a terminal, or with its input file. */
async function restingParent(home: Home, daemon: Daemon, how: object): Promise<string> {
  const id = await start(home, daemon, { prompt: 'do: say ready', ...how })
  await until('the parent to rest', async () => (await look(id, daemon)).phase === 'idle')
  return id
}

/** Once so many prompts were worked off. */
const workedOff = (id: string, count: number, daemon: Daemon) =>
  until('it to be worked off', async () => {
    const query = `/api/triggers?to=${id}&state=done&limit=200`
    return (await daemon.ask<TriggerListJson>('GET', query)).triggers.length >= count
  })

/** Epoch ms of all events of a kind, oldest first, as the daemon stamped them. */
function timesOf(kind: string, tasks: readonly string[], { paths }: Home): number[] {
  const db = openSqlite(paths.database)
  const marks = tasks.map(() => '?').join()
  const rows = db.prepare(`select at from events where kind = ? and task_id in (${marks}) order by seq`)
  const times = rows.all(kind, ...tasks).map(({ at }) => Number(at))
  db.close()
  return times
}

const between = (from: readonly number[], to: readonly number[], less = 0) =>
  to.map((at, round) => at - (from[round] ?? Number.NaN) - less)

/** A child of this parent, started as its run would; it ends when its file is there. */
async function childOf(parent: string, home: Home, daemon: Daemon): Promise<string> {
  rmSync(join(home.project, 'go'), { force: true })
  const { run_id } = await look(parent, daemon)
  const asked = {
    prompt: 'do: wait-for go\ndo: finish done',
    dir: home.project,
    env: { PATH: home.env.PATH },
  }
  const headers = { 'x-holdfast-run': run_id ?? '' }
  const { task } = await daemon.ask<CreatedJson>('POST', '/api/tasks', asked, headers)
  await until('the child to work', async () => (await look(task.session_id, daemon)).phase === 'working')
  return task.session_id
}

/** What it costs to be told by hand: from a prompt that is stored until it is typed. */
async function sendMs(home: Home, daemon: Daemon, how: object): Promise<number[]> {
  const id = await restingParent(home, daemon, how)
  for (let round = 1; round <= ROUNDS; round++) {
    await daemon.ask('POST', `/api/tasks/${id}/inputs`, { prompt: `do: say ${round}` })
    await workedOff(id, round, daemon)
  }
  return between(timesOf('trigger_queued', [id], home), timesOf('trigger_typed', [id], home))
}

/** From the decision that the child is completed until the news is in the parent's input file, or typed and entered. */
async function wakeMs(home: Home, daemon: Daemon, how: object): Promise<number[]> {
  const parent = await restingParent(home, daemon, how)
  const children: string[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    children.push(await childOf(parent, home, daemon))
    writeFileSync(join(home.project, 'go'), '')
    await workedOff(parent, round, daemon)
  }
  const ended = timesOf('task_completed', children, home)
  return between(ended, timesOf('trigger_typed', [parent], home), QUIET_MS)
}

const home = makeHome(`recursion.depth: 1\nwake.quiet: ${QUIET_MS}ms\nquiet.window: 0s\n`)
const daemon = await startDaemon(home)
const rows = []
for (const [name, how] of [
  ['to the input file of a headless parent', { converse: true }],
  ['into the pane of a parent in a terminal', { mode: 'interactive' }],
] as const) {
  rows.push(limitRow(name, await sendMs(home, daemon, how), await wakeMs(home, daemon, how), BUDGET))
}
report(
  `How long from a child's end until its parent is told, beyond the quiet time of ${QUIET_MS} ms? (${ROUNDS} each, by the daemon's own events: the child's task_completed to the parent's trigger_typed; floor: trigger_queued to trigger_typed of a prompt that is sent)`,
  rows,
)
process.exit(0)
