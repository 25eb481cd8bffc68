// A home, a project and a user of their own for the soak, and what the process table tells of them.
import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const CLI = new URL('../../dist/cli.cjs', import.meta.url).pathname
const CONFIG = {
  agent: 'scripted',
  maxConcurrent: 12,
  retries: 1000,
  'backoff.base': '200ms',
  'backoff.cap': '2s',
  'wake.stagger': '100ms',
  'crashLoop.deaths': 1000,
  'breaker.failures': 1000,
  'kill.grace': '1s',
  'reconcile.interval': '1s',
  'launch.grace': '3s',
  'tmux.rest': '2s',
}

export function makeWorld() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hfsoak')))
  const [home, project, user] = ['h', 'project', 'user'].map((name) => join(root, name))
  mkdirSync(project)
  mkdirSync(join(user, '.config/holdfast'), { recursive: true })
  writeFileSync(join(user, '.config/holdfast/config.yaml'), JSON.stringify(CONFIG))
  const env = {
    PATH: process.env.PATH,
    HOME: user,
    HOLDFAST_HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  }

  /** The command line, as a person would use it: it starts a daemon where there is none. */
  const cli = (args, input = '') =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [CLI, ...args, '--json'],
        { cwd: project, env, timeout: 60_000, maxBuffer: 1 << 28 },
        (error, stdout, stderr) => resolve({ ok: error === null, said: parse(stdout), stderr }),
      )
      child.stdin.on('error', () => {}).end(input)
    })

  /** For looking often. Undefined while nobody answers. */
  const get = (path) =>
    new Promise((resolve) => {
      const asked = request({ socketPath: join(home, 'daemon.sock'), path, timeout: 10_000 }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part) => (text += part))
        response.on('error', () => resolve(undefined))
        response.on('end', () => resolve(response.statusCode < 400 ? parse(text) : undefined))
      })
      asked.on('timeout', () => asked.destroy()).on('error', () => resolve(undefined))
      asked.end()
    })

  /** By hand, as a person at the private server would. False when there is none. */
  const tmux = (...args) =>
    new Promise((resolve) => {
      execFile('tmux', ['-N', '-S', join(home, 'tmux.sock'), ...args], { env, timeout: 5000 }, (error) =>
        resolve(error === null),
      )
    })

  return {
    tmux,
    root,
    home,
    project,
    env,
    cli,
    get,
    sessions: join(user, '.local/state/holdfast-scripted-agent/sessions'),
    daemonPid: () => parse(readOr(join(home, 'daemon.json')))?.pid,
    /** Undefined when it has none, or none that lives. */
    agentPid(run) {
      const pid = Number(readOr(join(home, 'runs', run ?? 'none', 'pid')).split(' ')[0])
      return pid > 1 && isAlive(pid) ? pid : undefined
    },
    processes: () => processesOf(root),
    async end() {
      for (let left = processesOf(root); left.length > 0; left = processesOf(root)) {
        for (const { pid } of left) signal(pid, 'SIGKILL')
        await pause(50)
      }
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Found by what they were given: arguments or environment below the directory. */
export function processesOf(root) {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!(pid > 1) || pid === process.pid) return []
    const argv = readOr(`/proc/${pid}/cmdline`).split('\0')
    const environ = readOr(`/proc/${pid}/environ`).split('\0')
    const isOurs = [...argv, ...environ].some((text) => text.includes(`${root}/`))
    return isOurs && isAlive(pid) ? [{ pid, ppid: parentOf(pid), argv, environ }] : []
  })
}

export function signal(pid, name) {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** A process whose first thread has ended lives on in its others. */
export const isAlive = (pid) => {
  const status = readOr(`/proc/${pid}/status`)
  return /^State:\s+[^ZX\s]/m.test(status) || Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0) > 1
}
const parentOf = (pid) => Number(/^PPid:\s+(\d+)$/m.exec(readOr(`/proc/${pid}/status`))?.[1] ?? 0)

export function readOr(file, otherwise = '') {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}

export function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
