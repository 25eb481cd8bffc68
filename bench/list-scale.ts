import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startDaemon } from './lib/daemon.ts'
import { killAll, nobody, renameNotice } from './lib/deaths.ts'
import { CLI, makeHome } from './lib/home.ts'
import { startLightRuns } from './lib/light-runs.ts'
import { insertTasks } from './lib/many-tasks.ts'
import { highWaterMb } from './lib/proc.ts'
import { amountRow, limitRow, ratioRow, report } from './lib/report.ts'
import { interleaved, timed } from './lib/samples.ts'

const TASKS = 100_000
const DEATHS = 100
const ROUNDS = 15
const ALL_ROUNDS = 3

const home = makeHome('maxConcurrent: 500\nretries: 0\n')
await insertTasks(home, TASKS)
const victims = await startLightRuns(home, 2 * DEATHS)
const daemon = await startDaemon(home)
const { env, project: cwd } = home

const node = (args: string[]) => () => {
  const from = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status !== 0) throw new Error(`node ${args.join(' ')} → ${status}\n${stderr}`)
  return performance.now() - from
}
const cli = (...args: string[]) => node([CLI, ...args])
const mb = (amount: number) => `${amount.toFixed(0)} MB`

await pause(3000)
const before = highWaterMb(daemon.pid)
const page = await interleaved(ROUNDS, {
  floor: node(['-e', '0']),
  list: cli('list'),
  json: cli('list', '--json'),
})
const afterPages = highWaterMb(daemon.pid)
const all: number[] = []
for (let n = 0; n < ALL_ROUNDS; n++) all.push(cli('list', '--all', '--json')())
const afterAll = highWaterMb(daemon.pid)

/** One `list --all --json` after the other, until told to stop. */
async function listAllUntil(stopped: { now: boolean }): Promise<void> {
  while (!stopped.now) {
    const args = [CLI, 'list', '--all', '--json']
    const [code] = await once(spawn(process.execPath, args, { cwd, env, stdio: 'ignore' }), 'exit')
    if (code !== 0) throw new Error(`list --all → ${code}`)
  }
}

const renamed = join(home.root, 'renamed')
mkdirSync(renamed)
const [floor, calm, deaths, answers] = [[] as number[], nobody(), nobody(), [] as number[]]
for (const victim of victims.slice(DEATHS)) await killAll([victim], home, daemon, calm)
const stopped = { now: false }
const listing = listAllUntil(stopped)
await pause(1000)
for (const victim of victims.slice(0, DEATHS)) {
  floor.push(await renameNotice(renamed))
  answers.push(await timed(() => daemon.ask('GET', '/api/health')))
  await killAll([victim], home, daemon, deaths)
}
stopped.now = true
await listing

report(
  `What does a list of ${TASKS} tasks cost, and what does the daemon see meanwhile? (${ROUNDS} rounds, --all ${ALL_ROUNDS}; ${DEATHS} deaths during \`list --all --json\`; floors: \`node -e 0\`, the daemon before, fs.watch tells of a rename)`,
  [
    ratioRow('`list`', page.floor, page.list, 2.5),
    ratioRow('`list --json`', page.floor, page.json),
    amountRow('… the daemon’s memory, its most', before, afterPages, mb),
    ratioRow('`list --all --json`', page.floor, all),
    amountRow('… the daemon’s memory, its most', before, afterAll, mb, 200),
    limitRow('a death during it is stored', floor, deaths.noticed, { share: 0.99, ms: 100 }),
    limitRow('… of that, until the exit record', floor, deaths.exitRecord),
    limitRow('… for comparison: without a list', floor, calm.noticed),
    limitRow('another question during it is answered', floor, answers, { share: 0.99, ms: 50 }),
  ],
)
process.exit(0)
