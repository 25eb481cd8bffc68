import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killProcessesBelow } from '../src/system/processes/processes-below.ts'
import { openCommits } from './lib/commits.ts'
import { type Daemon, startDaemon } from './lib/daemon.ts'
import { makeHome } from './lib/home.ts'
import { limitRow, ratioRow, report } from './lib/report.ts'
import { until } from './lib/until.ts'

const TASKS = 50
const REBOOTS = 5
const STAGGER_MS = 5
const OTHER_BOOT = '00000000-0000-4000-8000-000000000000'

const home = makeHome(`maxConcurrent: ${TASKS}\nwake.stagger: ${STAGGER_MS}ms\n`)
const { root, project, paths, env } = home

/** The least that 50 agents in terminals can take: so many tmux commands, each for a shell that writes down its pid. */
async function tmuxSessions(round: number): Promise<number> {
  const dir = join(root, `raw-${round}`)
  mkdirSync(dir)
  const from = performance.now()
  for (let n = 0; n < TASKS; n++) {
    const script = 'echo $$ >"$0"; exec sleep 600'
    const session = ['new-session', '-d', '-s', `s${n}`, '--', 'sh', '-c', script, join(dir, String(n))]
    execFileSync('tmux', ['-S', `${dir}.sock`, '-f', '/dev/null', ...session], { env })
  }
  await until('the last shell', () => readdirSync(dir).length === TASKS, { everyMs: 1 })
  const took = performance.now() - from
  execFileSync('tmux', ['-S', `${dir}.sock`, 'kill-server'])
  return took
}

/** Everything of this home ends at once, and what is left on disk is from before the boot. */
function powerOff(): void {
  const runs = liveRuns()
  if (runs.length !== TASKS) throw new Error(`${runs.length} of ${TASKS} agents run`)
  if (!killProcessesBelow(root)) throw new Error('some processes would not die')
  for (const run of runs) {
    const record = { code: null, signal: 'KILL', at: Date.now(), boot_id: OTHER_BOOT }
    writeFileSync(join(paths.exits, `${run}.json`), `${JSON.stringify(record)}\n`)
  }
}

const liveRuns = () =>
  readdirSync(paths.runs).filter((run) => {
    const pid = Number(pidText(run).split(' ')[0])
    return pid > 0 && processIsThere(pid)
  })

function pidText(run: string): string {
  try {
    return readFileSync(join(paths.runs, run, 'pid'), 'utf8')
  } catch {
    return ''
  }
}

function processIsThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** From the start of the daemon until it knows of every agent that it runs again. */
async function powerOn(after: number): Promise<{ daemon: Daemon; took: number; answers: number }> {
  const commits = openCommits(home)
  const from = performance.now()
  const starting = startDaemon(home).then((daemon) => ({ daemon, answers: performance.now() - from }))
  const arrived = await commits.arrivals('task_agent_started', TASKS, after)
  commits.close()
  return { ...(await starting), took: arrived.at(-1)! - from }
}

function lastEvent(): number {
  const commits = openCommits(home)
  const last = commits.last()
  commits.close()
  return last
}

const floor: number[] = []
const recovered: number[] = []
const answered: number[] = []
let daemon = await startDaemon(home)
const asked = { prompt: 'do: hang', dir: project, env: { PATH: env.PATH }, allow_dir: true }
for (let n = 0; n < TASKS; n++) await daemon.ask('POST', '/api/tasks', asked)
const allRun = () => liveRuns().length === TASKS
for (let round = 0; round < REBOOTS; round++) {
  floor.push(await tmuxSessions(round))
  await until('all agents to run', allRun, { withinMs: 120_000, everyMs: 50 })
  await until('all to be known', async () => {
    const { tasks } = await daemon.ask<{ tasks: { phase: string }[] }>('GET', '/api/tasks')
    return tasks.every(({ phase }) => phase === 'working')
  })
  powerOff()
  const back = await powerOn(lastEvent())
  daemon = back.daemon
  recovered.push(back.took)
  answered.push(back.answers)
}
report(
  `How long from the start of the daemon after a reboot until ${TASKS} tasks run again? (${REBOOTS} simulated reboots: everything killed, exit records of another boot; wake.stagger ${STAGGER_MS} ms; floor: ${TASKS} times \`tmux new-session\`)`,
  [
    ratioRow(`all ${TASKS} agents run again`, floor, recovered),
    limitRow('… of that, until the daemon answers', floor, answered),
  ],
)
process.exit(0)
