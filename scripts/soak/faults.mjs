// Owns what goes wrong in a soak. Each fault tells whether it found something to strike.
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { signal } from './world.mjs'

export function makeFaults(world, { roll, pick }) {
  const { home, project } = world

  const someone = (tasks) => pick(tasks.filter(({ run }) => world.agentPid(run) !== undefined))
  const killAgent = (task) => task !== undefined && kill(world.agentPid(task.run))
  const find = (isIt) => world.processes().find(isIt)?.pid
  const kill = (pid) => pid !== undefined && signal(pid, 'SIGKILL')
  const tmuxPid = (isIt) => find(({ argv }) => /(^|\/)tmux(:|$)/.test(argv[0]) && isIt(argv))
  const client = () => tmuxPid((argv) => argv.includes('-C'))
  const server = () => tmuxPid((argv) => !argv.includes('-C') && argv.includes(join(home, 'tmux.sock')))

  /** Only those that have a terminal of their own. */
  function inTerminal(tasks, act, phase) {
    const task = someone(
      tasks.filter((one) => one.story.isTerminal && (phase === undefined || one.phase === phase)),
    )
    return task !== undefined && act(`hf-${task.id.replaceAll('.', '_')}`)
  }

  async function stopped(pid) {
    if (pid === undefined || !signal(pid, 'SIGSTOP')) return false
    await pause(500 + roll(3000))
    signal(pid, 'SIGCONT')
    return true
  }

  return {
    'kill agent': (tasks) => killAgent(someone(tasks)),
    'kill keeper': (tasks) => {
      const task = someone(tasks)
      const run = task && join(home, 'runs', task.run)
      return kill(task && find(({ argv }) => argv.includes('keep') && argv.includes(run)))
    },
    'kill tool': (tasks) => {
      const agents = new Map(tasks.map((task) => [world.agentPid(task.run), task]))
      const tool = pick(world.processes().filter(({ ppid, argv }) => agents.has(ppid) && argv[0] === 'sleep'))
      if (tool === undefined || !kill(tool.pid)) return false
      agents.get(tool.ppid).toolKilled = true
      return true
    },
    'kill daemon': () => kill(world.daemonPid()),
    'kill agent and daemon': (tasks) => killAgent(someone(tasks)) && kill(world.daemonPid()),
    'kill tmux server': () => kill(server()),
    'tmux kill-server': () => world.tmux('kill-server'),
    'kill daemon and tmux server': () => {
      const pids = [world.daemonPid(), server()]
      return pids.map(kill).every(Boolean)
    },
    'close terminal': (tasks) => inTerminal(tasks, (name) => world.tmux('kill-session', '-t', `=${name}`)),
    'close pane': (tasks) => inTerminal(tasks, (name) => world.tmux('kill-pane', '-t', `=${name}:`)),
    'press Esc': (tasks) =>
      inTerminal(tasks, (name) => world.tmux('send-keys', '-t', `=${name}:`, 'Escape'), 'working'),
    'kill control client': () => kill(client()),
    'stop agent': (tasks) => stopped(world.agentPid(someone(tasks)?.run)),
    'stop tmux server': () => stopped(server()),
    'stop daemon': () => stopped(world.daemonPid()),
    'lock store': () => lockStore(join(home, 'holdfast.db'), 500 + roll(7000)),
    'delete events file': (tasks) => {
      const task = someone(tasks)
      const file = join(home, 'runs', task?.run ?? 'none', 'events.jsonl')
      if (!existsSync(file)) return false
      rmSync(file)
      task.eventsDeleted = true
      return true
    },
    'delete handoff directory': (tasks) => {
      const dir = join(project, '.holdfast/sessions', someone(tasks)?.id ?? 'none')
      if (!existsSync(dir)) return false
      try {
        rmSync(dir, { recursive: true, force: true })
      } catch (error) {
        // The daemon is repairing it at this moment: half of it gone is a fault, too.
        if (error.code !== 'ENOTEMPTY') throw error
      }
      return true
    },
  }
}

const LOCK = `
  const { DatabaseSync } = await import(Number.parseInt(process.versions.node) >= 24 ? 'node:sqlite' : '@photostructure/sqlite')
  const db = new DatabaseSync(process.argv[1])
  db.exec('PRAGMA busy_timeout=3000; BEGIN IMMEDIATE')
  console.log('locked')
  setTimeout(() => { db.exec('ROLLBACK'); db.close() }, Number(process.argv[2]))`

/** Somebody else writes, and takes their time. */
function lockStore(database, ms) {
  const cwd = new URL('../..', import.meta.url).pathname
  const argv = ['--input-type=module', '-e', LOCK, database, String(ms)]
  const child = spawn(process.execPath, argv, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  child.stdout.on('data', (text) => (said += text))
  return new Promise((resolve) => child.once('close', () => resolve(said.includes('locked'))))
}
