// A home, a project and a user of their own, the built CLI, and a way to kill things. Everything goes when the test ends.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { callerHeaders } from '../../src/cli/wire/caller.ts'
import { DaemonClient } from '../../src/cli/wire/client.ts'
import { homePaths } from '../../src/domain/names/home.ts'
import type { HealthJson } from '../../src/protocol/json/daemon-json.ts'
import type { TaskDetailJson, TaskJson } from '../../src/protocol/json/task-json.ts'
import { processesBelow } from '../../src/system/processes/processes-below.ts'
import { isAlive } from './is-alive.ts'
import { tempDir } from './temp-dir.ts'
import { waitFor } from './wait-for.ts'

export const CLI = join(import.meta.dirname, '../../dist/cli.cjs')
export type Said = { code: number | null; stdout: string; stderr: string }
export type World = Awaited<ReturnType<typeof startWorld>>

export async function startWorld(
  options: {
    config?: string
    killGrace?: string
    retries?: number
    env?: Record<string, string>
    /** The name of its home. */
    home?: string
    /** Of another installation than the one that was just built. */
    cli?: string
  } = {},
) {
  const root = tempDir('hf')
  const home = join(root, options.home ?? 'h')
  const project = join(root, 'project')
  const user = join(root, 'user')
  mkdirSync(project)
  mkdirSync(join(user, '.config/holdfast'), { recursive: true })
  writeFileSync(
    join(user, '.config/holdfast/config.yaml'),
    `agent: scripted\nkill.grace: ${options.killGrace ?? '1s'}\nretries: ${options.retries ?? 0}\n${options.config ?? ''}`,
  )
  const env: Record<string, string> = {
    PATH: process.env.PATH!,
    HOME: user,
    HOLDFAST_HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    ...options.env,
  }

  const start = (
    args: string[],
    more: { input?: string; cwd?: string; env?: Record<string, string> } = {},
  ): ChildProcess => {
    const child = spawn(process.execPath, [options.cli ?? CLI, ...args], {
      cwd: more.cwd ?? project,
      env: { ...env, ...more.env },
    })
    // A command that refuses its arguments may be gone before it has read anything.
    child.stdin!.on('error', () => {}).end(more.input ?? '')
    return child
  }
  const cli = (args: string[], more: Parameters<typeof start>[1] = {}): Promise<Said> =>
    finished(start(args, more))
  const ok = async (args: string[], more: Parameters<typeof start>[1] = {}): Promise<string> => {
    const said = await cli(args, more)
    if (said.code !== 0)
      throw new Error(`holdfast ${args.join(' ')} → ${said.code}\n${said.stdout}${said.stderr}`)
    return said.stdout
  }
  const json = async <T>(args: string[], more: Parameters<typeof start>[1] = {}): Promise<T> =>
    JSON.parse(await ok([...args, '--json'], more)) as T
  const holder = (): { pid: number } => JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8'))

  /** It is asked over and over: a command for each question would keep a core busy. */
  const daemon = new DaemonClient({
    home,
    socket: homePaths(home).socket,
    headers: callerHeaders(env),
    reach: async () => void (await ok(['list'])),
  })

  /** The environment goes last when an ended task is tidied up. */
  const isTidied = (id: string) => !existsSync(join(home, 'tasks', id, 'env'))

  const world = {
    root,
    home,
    project,
    user,
    env,
    daemon,
    start,
    cli,
    ok,
    json,
    daemonPid: () => holder().pid,
    /** Starts a task from a script and gives its id. */
    run: async (script: string, ...flags: string[]): Promise<string> => {
      const created = await json<{ task: TaskJson }>(['run', '--file', '-', ...flags], { input: script })
      return created.task.session_id
    },
    status: (id: string): Promise<TaskDetailJson> =>
      options.cli === undefined ? daemon.call('GET /api/tasks/:id', { id }) : json(['status', id]),
    health: (): Promise<HealthJson> => daemon.call('GET /api/health'),
    /** An ended task is also waited for to be tidied up. */
    untilStatus: (id: string, status: string, withinMs = 20_000) =>
      waitFor(
        `${id} to be ${status}`,
        async () => {
          const tidied = isTidied(id)
          const task = await world.status(id)
          if (task.status !== status && task.task_status !== status) return undefined
          return task.completed_at === null || tidied ? task : undefined
        },
        withinMs,
      ),
    /** kill -9, and gone. */
    killDaemon: async () => {
      const { pid } = holder()
      process.kill(pid, 'SIGKILL')
      await waitFor(`daemon ${pid} to be gone`, () => !isAlive(pid))
    },
    tmux: (...args: string[]) => output('tmux', ['-S', join(home, 'tmux.sock'), ...args]),
    tmuxPid: async () =>
      Number(
        (await output('tmux', ['-S', join(home, 'tmux.sock'), 'display-message', '-p', '#{pid}'])).trim(),
      ),
    /** Everything this world started that is still there. */
    processes: () => processesOf(root),
    /** What the scripted agent was told, over all its sessions. */
    heard: () => heardIn(join(user, '.local/state/holdfast-scripted-agent/sessions')),
  }
  onTestFinished(() => endWorld(world))
  return world
}

/** Not by commands: they take their time, for every test. What leaves nothing behind has tests of its own. */
async function endWorld(world: World): Promise<void> {
  await waitFor('all processes of the world to be gone', () => {
    const left = world.processes()
    for (const pid of left) signal(pid, 'SIGKILL')
    return left.length === 0
  })
}

export function finished(child: ChildProcess): Promise<Said> {
  const said: Said = { code: null, stdout: '', stderr: '' }
  child.stdout!.on('data', (text) => (said.stdout += text))
  child.stderr!.on('data', (text) => (said.stderr += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...said, code }))
  })
}

const output = (program: string, args: string[]) =>
  new Promise<string>((resolve, reject) =>
    execFile(program, args, { env: { PATH: process.env.PATH! } }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    ),
  )

/** Whoever is gone already needs none. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Already gone.
  }
}

export const processesOf = (root: string): number[] => processesBelow(root).map(({ pid }) => pid)

export function heardIn(
  dir: string,
): { session: string; heard: string; run: string; resumed: boolean; at: number }[] {
  let names: string[] = []
  try {
    names = readdirSync(dir)
  } catch {
    return []
  }
  return names.flatMap((name) =>
    readFileSync(join(dir, name), 'utf8')
      .split('\n')
      // What follows the last newline is being written.
      .slice(0, -1)
      .filter((line) => line.includes('"heard"'))
      .map((line) => ({ session: name.replace('.jsonl', ''), ...JSON.parse(line) })),
  )
}
