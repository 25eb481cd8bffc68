import { setTimeout as pause } from 'node:timers/promises'
import type { RuntimeJson } from '../src/protocol/json/runtime-json.ts'
import type { TaskListJson } from '../src/protocol/json/task-json.ts'
import { type Daemon, startDaemon } from './lib/daemon.ts'
import { type Home, makeHome } from './lib/home.ts'
import { commandLine, cpuMs, processesBelow, residentMb } from './lib/proc.ts'
import { amountRow, report } from './lib/report.ts'
import { until } from './lib/until.ts'

const TERMINALS = 100
/** A daemon that was just busy gives memory back within some 45 s. */
const SETTLE_MS = 60_000
/** As long as an idle screen may go unread, so that each is read once in it. */
const PERIOD_MS = 120_000

type Kind = {
  readonly start: (n: number, home: Home, daemon: Daemon) => Promise<unknown>
  readonly idle: (daemon: Daemon) => Promise<number>
}

/** Scripted agents in their terminals, their turns over: each draws its clock anew every second. */
const tasks: Kind = {
  start: (_, home, daemon) =>
    daemon.ask('POST', '/api/tasks', {
      prompt: 'do: say ready',
      mode: 'interactive',
      dir: home.project,
      allow_dir: true,
      env: { PATH: home.env.PATH },
    }),
  idle: async (daemon) => {
    const { tasks } = await daemon.ask<TaskListJson>('GET', '/api/tasks')
    return tasks.filter(({ phase }) => phase === 'idle').length
  },
}

/** The same as standing agents: each is compared with what tmux has, every `reconcile.interval`. */
const runtimes: Kind = {
  start: (n, home, daemon) =>
    daemon.ask('POST', '/api/runtimes', {
      role: `r${n}`,
      agent: 'scripted',
      seed: 'do: say ready',
      dir: home.project,
      allow_dir: true,
      env: { PATH: home.env.PATH },
    }),
  idle: async (daemon) => {
    const { runtimes } = await daemon.ask<{ runtimes: RuntimeJson[] }>('GET', '/api/runtimes')
    return runtimes.filter(({ state, phase }) => state === 'ready' && phase === 'idle').length
  },
}

/** How much each amount grew over the period, per second. */
async function growth(...amounts: (() => number)[]) {
  const from = performance.now()
  const before = amounts.map((amount) => amount())
  await pause(PERIOD_MS)
  const seconds = (performance.now() - from) / 1000
  return amounts.map((amount, n) => (amount() - before[n]!) / seconds)
}

/** The control client ends with the daemon. Its work is the server's: tmux hands its pipes over. */
function tmuxServer(home: Home): number {
  const tmux = processesBelow(home.root).filter((pid) => /^\S*tmux\0/.test(commandLine(pid)))
  const servers = tmux.filter((pid) => !commandLine(pid).includes('\0-C\0'))
  const [server] = servers
  if (tmux.length !== 2 || servers.length !== 1 || server === undefined)
    throw new Error(`${tmux.length} tmux processes, ${servers.length} of them servers`)
  return server
}

async function costOf({ start, idle }: Kind) {
  const home = makeHome(`maxConcurrent: ${TERMINALS}\n`)
  const daemon = await startDaemon(home)
  for (let n = 0; n < TERMINALS; n++) await start(n, home, daemon)
  const areIdle = async () => (await idle(daemon)) === TERMINALS
  await until('idle terminals', areIdle, { withinMs: 300_000, everyMs: 500 })
  await pause(SETTLE_MS)
  const server = tmuxServer(home)
  const ofTmux = () => cpuMs(server)
  const [byDaemon = 0, byTmux = 0] = await growth(() => cpuMs(daemon.pid), ofTmux)
  const memory = residentMb(daemon.pid)
  await daemon.kill()
  const [drawing = 0] = await growth(ofTmux)
  home.end()
  return { byDaemon, byTmux, memory, drawing }
}

/** Milliseconds of CPU in a second of time: a thousandth of a core each. */
const percent = (perSecond: number) => `${(perSecond / 10).toFixed(2)} %`
const rowsOf = (
  what: string,
  { byDaemon, byTmux, memory, drawing }: Awaited<ReturnType<typeof costOf>>,
  most: number,
) => [
  amountRow(`${what}: CPU, daemon and tmux`, drawing, byDaemon + byTmux, percent, most),
  amountRow('… daemon', null, byDaemon, percent),
  amountRow('… tmux server', drawing, byTmux, percent),
  amountRow('… memory: daemon', null, memory, (amount) => `${amount.toFixed(0)} MB`, 150),
]
const ofTasks = await costOf(tasks)
const ofRuntimes = await costOf(runtimes)
report(
  `What do ${TERMINALS} idle terminals cost? (${PERIOD_MS / 1000} s; per cent of one core; floor: what tmux takes to draw them without a daemon)`,
  [
    ...rowsOf(`${TERMINALS} tasks`, ofTasks, 10),
    ...rowsOf(`${TERMINALS} runtimes, looked at every 5 s`, ofRuntimes, 10),
  ],
)
process.exit(0)
