import { rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import type { CreatedJson } from '../src/protocol/api.ts'
import type { TaskDetailJson } from '../src/protocol/task-json.ts'
import type { TriggerDetailJson, TriggerListJson } from '../src/protocol/trigger-json.ts'
import { type Daemon, startDaemon } from './lib/daemon.ts'
import { type Home, makeHome } from './lib/home.ts'
import { limitRow, report } from './lib/report.ts'
import { until } from './lib/until.ts'

const ROUNDS = 50
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

/** When the daemon decided that the ended task is completed, which is before it was stored. */
async function completedAt(id: string, home: Home): Promise<number> {
  const text = await new Promise<string>((resolve, reject) =>
    get({ socketPath: home.paths.socket, path: `/api/tasks/${id}/events` }, (response) => {
      response
        .setEncoding('utf8')
        .toArray()
        .then((parts) => resolve(parts.join('')), reject)
    }).on('error', reject),
  )
  return Number(/^event: task_completed\ndata: .*?"at":(\d+)/m.exec(text)?.[1])
}

/** When the newest trigger of this task was given to its agent, once so many were worked off. */
async function typedAt(id: string, workedOff: number, daemon: Daemon): Promise<number> {
  const query = `/api/triggers?to=${id}&state=done&limit=200`
  const list = await until('it to be worked off', async () => {
    const { triggers } = await daemon.ask<TriggerListJson>('GET', query)
    return triggers.length >= workedOff ? triggers : undefined
  })
  const { steps } = await daemon.ask<TriggerDetailJson>('GET', `/api/triggers/${list[0]?.trigger_id}`)
  return Date.parse(steps.find(({ state }) => state === 'typed')?.at ?? '')
}

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

/** From the decision that the child is completed until the news is in the parent's input file, or typed and entered. */
async function wakeMs(parent: string, round: number, home: Home, daemon: Daemon): Promise<number> {
  const child = await childOf(parent, home, daemon)
  writeFileSync(join(home.project, 'go'), '')
  const typed = await typedAt(parent, round, daemon)
  return typed - (await completedAt(child, home)) - QUIET_MS
}

/** What it costs to be told by hand: from a prompt that is sent until it is typed. */
async function sendMs(parent: string, round: number, daemon: Daemon): Promise<number> {
  const from = Date.now()
  await daemon.ask('POST', `/api/tasks/${parent}/inputs`, { prompt: `do: say ${round}` })
  return (await typedAt(parent, round, daemon)) - from
}

const home = makeHome(`recursion.depth: 1\nwake.quiet: ${QUIET_MS}ms\nquiet.window: 0s\n`)
const daemon = await startDaemon(home)
const rows = []
for (const [name, how] of [
  ['to the input file of a headless parent', { converse: true }],
  ['into the pane of a parent in a terminal', { mode: 'interactive' }],
] as const) {
  const byHand = await restingParent(home, daemon, how)
  const floor: number[] = []
  for (let round = 1; round <= ROUNDS; round++) floor.push(await sendMs(byHand, round, daemon))
  const parent = await restingParent(home, daemon, how)
  const woken: number[] = []
  for (let round = 1; round <= ROUNDS; round++) woken.push(await wakeMs(parent, round, home, daemon))
  rows.push(limitRow(name, floor, woken, BUDGET))
}
report(
  `How long from a child's end until its parent is told, beyond the quiet time of ${QUIET_MS} ms? (${ROUNDS} each, by the daemon's own events: the child's task_completed to the step \`typed\` of the parent's trigger; floor: from sending a prompt to that step)`,
  rows,
)
process.exit(0)
