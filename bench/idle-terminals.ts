import { setTimeout as pause } from 'node:timers/promises'
import type { TaskListJson } from '../src/protocol/json/task-json.ts'
import { startDaemon } from './lib/daemon.ts'
import { makeHome } from './lib/home.ts'
import { commandLine, cpuMs, processesBelow, residentMb } from './lib/proc.ts'
import { amountRow, report } from './lib/report.ts'
import { until } from './lib/until.ts'

const TERMINALS = 100
/** A daemon that was just busy gives memory back within some 45 s. */
const SETTLE_MS = 60_000
/** As long as an idle screen may go unread, so that each is read once in it. */
const PERIOD_MS = 120_000

const home = makeHome(`maxConcurrent: ${TERMINALS}\n`)
const daemon = await startDaemon(home)

/** Scripted agents in their terminals, their turns over: each draws its clock anew every second. */
const asked = { prompt: 'do: say ready', mode: 'interactive', dir: home.project, allow_dir: true }
for (let n = 0; n < TERMINALS; n++)
  await daemon.ask('POST', '/api/tasks', { ...asked, env: { PATH: home.env.PATH } })
const areIdle = async () => {
  const { tasks } = await daemon.ask<TaskListJson>('GET', '/api/tasks')
  return tasks.filter(({ phase }) => phase === 'idle').length === TERMINALS
}
await until('idle terminals', areIdle, { withinMs: 300_000, everyMs: 500 })
await pause(SETTLE_MS)

const tmux = processesBelow(home.root).filter((pid) => /^\S*tmux\0/.test(commandLine(pid)))
if (tmux.length !== 2) throw new Error(`${tmux.length} tmux processes`)
/** The control client ends with the daemon. Its work is the server's: tmux hands its pipes over. */
const server = tmux.filter((pid) => !commandLine(pid).includes('\0-C\0'))
if (server.length !== 1) throw new Error(`${server.length} tmux servers`)
const ofTmux = () => cpuMs(server[0]!)

/** How much each amount grew over the period, per second. */
async function growth(...amounts: (() => number)[]) {
  const from = performance.now()
  const before = amounts.map((amount) => amount())
  await pause(PERIOD_MS)
  const seconds = (performance.now() - from) / 1000
  return amounts.map((amount, n) => (amount() - before[n]!) / seconds)
}

const [byDaemon = 0, byTmux = 0] = await growth(() => cpuMs(daemon.pid), ofTmux)
const memory = residentMb(daemon.pid)
await daemon.kill()
const [drawing = 0] = await growth(ofTmux)

/** Milliseconds of CPU in a second of time: a thousandth of a core each. */
const percent = (perSecond: number) => `${(perSecond / 10).toFixed(2)} %`
report(
  `What do ${TERMINALS} idle terminals cost? (${PERIOD_MS / 1000} s; per cent of one core; floor: what tmux takes to draw them without a daemon)`,
  [
    amountRow('CPU: daemon and tmux', drawing, byDaemon + byTmux, percent, 10),
    amountRow('… daemon', null, byDaemon, percent),
    amountRow('… tmux server', drawing, byTmux, percent),
    amountRow('memory: daemon', null, memory, (amount) => `${amount.toFixed(0)} MB`, 150),
  ],
)
process.exit(0)
