import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { TaskListJson } from '../src/protocol/json/task-json.ts'
import { startDaemon } from './lib/daemon.ts'
import { makeHome } from './lib/home.ts'
import { startLightRuns } from './lib/light-runs.ts'
import {
  commandLine,
  cpuMs,
  faultsOfEndedChildren,
  forksSinceBoot,
  processesBelow,
  residentMb,
} from './lib/proc.ts'
import { amountRow, report } from './lib/report.ts'
import { until } from './lib/until.ts'

const RUNS = 100
const TERMINALS = 20
/** A daemon that was just started gives memory back for some 25 s. */
const SETTLE_MS = 30_000
const PERIOD_MS = 60_000

const home = makeHome(`maxConcurrent: ${RUNS + TERMINALS}\n`)
await startLightRuns(home, RUNS)
const daemon = await startDaemon(home)
const nothing = spawn(process.execPath, ['-e', 'setInterval(() => {}, 2 ** 30)'], {
  env: home.env,
  stdio: 'ignore',
})
process.once('exit', () => nothing.kill('SIGKILL'))
await pause(SETTLE_MS)

const all = processesBelow(home.root).filter((pid) => pid !== nothing.pid)
const tmux = all.filter((pid) => /^\S*tmux\0/.test(commandLine(pid)))
const windows = all.filter((pid) => /^tail|\0window\0/.test(commandLine(pid)))
if (tmux.length !== 2 || windows.length !== 2 * RUNS)
  throw new Error(`${tmux.length} tmux processes and ${windows.length} of windows`)

/** How much each amount grew over the period, per second. */
async function growth(amounts: Readonly<Record<string, () => number>>) {
  const look = () => Object.values(amounts).map((amount) => amount())
  const from = performance.now()
  const before = look()
  await pause(PERIOD_MS)
  const seconds = (performance.now() - from) / 1000
  return look().map((now, n) => (now - before[n]!) / seconds)
}

/** Scripted agents in their terminals, their turns over: their screens are looked at, their clocks move. */
async function startTerminals(count: number): Promise<void> {
  const asked = { prompt: 'do: say ready', mode: 'interactive', dir: home.project, allow_dir: true }
  const env = { PATH: home.env.PATH }
  for (let n = 0; n < count; n++) await daemon.ask('POST', '/api/tasks', { ...asked, env })
  const areIdle = async () => {
    const { tasks } = await daemon.ask<TaskListJson>('GET', '/api/tasks')
    return tasks.filter(({ phase }) => phase === 'idle').length === count
  }
  await until('idle terminals', areIdle, { withinMs: 120_000, everyMs: 200 })
  await pause(SETTLE_MS)
}

const sum = (pids: readonly number[]) => () => pids.reduce((total, pid) => total + cpuMs(pid), 0)

const [idle, byDaemon, byTmux, byWindows, reaped, forks] = await growth({
  nothing: sum([nothing.pid!]),
  daemon: sum([daemon.pid]),
  tmux: sum(tmux),
  windows: sum(windows),
  reaped: () => faultsOfEndedChildren(daemon.pid),
  forks: forksSinceBoot,
})
const memory = residentMb(daemon.pid)
await startTerminals(TERMINALS)
const [byDaemonToo, byTmuxToo] = await growth({ daemon: sum([daemon.pid]), tmux: sum(tmux) })
const memoryToo = residentMb(daemon.pid)
const tmuxMemory = tmux.reduce((total, pid) => total + residentMb(pid), 0)
await daemon.kill()
const [forksWithout] = await growth({ forks: forksSinceBoot })

/** Milliseconds of CPU in a second of time: a thousandth of a core each. */
const percent = (perSecond: number) => `${(perSecond / 10).toFixed(2)} %`
const mb = (amount: number) => `${amount.toFixed(0)} MB`
const each = (amount: number) => `${amount.toFixed(1)}/s`
report(
  `What does idle supervision of ${RUNS} live runs cost? (${PERIOD_MS / 1000} s, from ${SETTLE_MS / 1000} s after the start on; per cent of one core; floor: a Node that does nothing)`,
  [
    amountRow('CPU: daemon, tmux and windows', idle!, byDaemon! + byTmux! + byWindows!, percent, 5),
    amountRow('… daemon', idle!, byDaemon!, percent),
    amountRow('… tmux server and control client', null, byTmux!, percent),
    amountRow(`… ${RUNS} windows`, null, byWindows!, percent),
    amountRow(`… daemon, with ${TERMINALS} idle terminals beside`, idle!, byDaemonToo!, percent),
    amountRow('… tmux server and control client, with them', null, byTmuxToo!, percent),
    amountRow('memory: daemon', residentMb(nothing.pid!), memory, mb, 150),
    amountRow(`… with ${TERMINALS} idle terminals beside`, null, memoryToo, mb),
    amountRow('memory: tmux server and control client', null, tmuxMemory, mb),
    amountRow('page faults of children the daemon reaped (0: no fork)', null, reaped!, each, 0),
    amountRow('forks on the machine (floor: without the daemon)', forksWithout!, forks!, each),
  ],
)
process.exit(0)
