// A life under a daemon that may be killed at one of its writes (kill-at-write.mjs). Whoever follows it here sees to it that a
// daemon runs; what happens in the life is in boundary-lives.ts.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { HEADER_RUN } from '../../src/protocol/headers.ts'
import type { CreatedJson } from '../../src/protocol/json/create-json.ts'
import type { TaskDetailJson, TaskListJson } from '../../src/protocol/json/task-json.ts'
import type { ThreadJson } from '../../src/protocol/json/thread-json.ts'
import type { TriggerDetailJson, TriggerListJson } from '../../src/protocol/json/trigger-json.ts'
import { accepts, ask, isRunning } from './daemon-socket.ts'
import { isAlive } from './is-alive.ts'
import { waitFor } from './wait-for.ts'
import { processesOf } from './world.ts'

const DAEMON = join(import.meta.dirname, '../../dist/daemon.js')
const PRELOAD = join(import.meta.dirname, 'kill-at-write.mjs')
const CONFIG = [
  'agent: scripted',
  'kill.grace: 1s',
  'backoff.base: 50ms',
  'launch.grace: 2s',
  'reconcile.interval: 1s',
  'trigger.ackTimeout: 5m',
]
const PATIENCE_MS = 60_000

/** Lives a life with a kill just before write `killAt`, checks all it left, and tells how many writes there were until then. */
export async function liveWithKill(
  life: BoundaryLife,
  killAt: number,
): Promise<{ writes: string[]; killed: boolean }> {
  try {
    await life.start(killAt)
    await life.live()
    await life.check()
    return { writes: life.writes(), killed: life.killed }
  } catch (error) {
    const place = life.writes().at(-1) ?? 'none'
    throw new Error(`killed at write ${place}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  } finally {
    await life.end()
  }
}

export abstract class BoundaryLife {
  readonly root = mkdtempSync(join(tmpdir(), 'hfb'))
  readonly home = join(this.root, 'h')
  readonly project = join(this.root, 'project')
  readonly user = join(this.root, 'user')
  killed = false
  /** The thread of its trigger. */
  protected thread = ''
  /** Lines of the user's settings. */
  protected config: readonly string[] = CONFIG
  #daemon: ChildProcess | undefined

  async start(killAt: number): Promise<void> {
    mkdirSync(this.home, { mode: 0o700 })
    mkdirSync(this.project)
    mkdirSync(join(this.user, '.config/holdfast'), { recursive: true })
    writeFileSync(join(this.user, '.config/holdfast/config.yaml'), this.config.join('\n'))
    this.#spawn({
      NODE_OPTIONS: `--import=${PRELOAD}`,
      KILL_AT_WRITE: String(killAt),
      KILL_AT_WRITE_LOG: join(this.root, 'writes'),
    })
    await this.#daemonRuns()
  }

  abstract live(): Promise<void>
  abstract check(): Promise<void>

  writes(): string[] {
    const log = join(this.root, 'writes')
    return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []
  }

  /** A creation that was not acknowledged has happened whole or left nothing. */
  protected async create(asked: { prompt: string; mode?: 'interactive'; converse?: true }): Promise<string> {
    const body = { ...asked, dir: this.project, allow_dir: true, env: this.#env() }
    const created = await this.call<CreatedJson>('POST', '/api/tasks', body)
    if (created !== undefined) return created.task.session_id
    const { tasks } = await this.get<TaskListJson>('/api/tasks')
    if (tasks.length > 0) return tasks[0]!.session_id
    expect(readdirSync(join(this.home, 'tasks'))).toEqual([])
    const sessions = join(this.project, '.holdfast/sessions')
    expect(existsSync(sessions) ? readdirSync(sessions) : []).toEqual([])
    return (await this.call<CreatedJson>('POST', '/api/tasks', body))!.task.session_id
  }

  /** Sent again and again with the same key, it is the same trigger. */
  protected async trigger(id: string, prompt: string): Promise<void> {
    await this.until('a thread', async () => {
      const opened = await this.call<ThreadJson>('POST', '/api/threads', { title: 'release', key: 'once' })
      this.thread = opened?.thread_id ?? ''
      return opened !== undefined
    })
    const body = { prompt, thread: this.thread, key: 'once' }
    const state = async () => (await this.ledger())?.state
    await this.until('the trigger to be submitted', async () => {
      await this.call('POST', `/api/tasks/${id}/inputs`, body)
      return (await state()) === 'submitted'
    })
    await this.until('its acknowledgement', async () => {
      const { run_id } = await this.task(id)
      const { trigger_id } = (await this.ledger())!
      await this.call('POST', `/api/triggers/${trigger_id}/ack`, undefined, { [HEADER_RUN]: String(run_id) })
      return (await state()) === 'acknowledged'
    })
    writeFileSync(join(this.project, 'acknowledged'), '')
    await this.until('the end of its turn', async () => (await state()) === 'done')
  }

  protected async ledger(): Promise<TriggerDetailJson | undefined> {
    const { triggers } = await this.get<TriggerListJson>(`/api/triggers?thread=${this.thread}`)
    expect(triggers.length).toBeLessThanOrEqual(1)
    const [one] = triggers
    return one === undefined ? undefined : this.get(`/api/triggers/${one.trigger_id}`)
  }

  /** In order, so that nothing but the store and the task's files may be left; a kill on the way is made up for. */
  protected async stop(): Promise<void> {
    for (;;) {
      const stopping = await this.call('POST', '/api/shutdown')
      await waitFor('the daemon to be gone', () => !isRunning(this.#daemon), PATIENCE_MS)
      if (stopping !== undefined && this.#daemon?.signalCode === null) return
      await this.#daemonRuns()
    }
  }

  protected left(): string[] {
    const files = readdirSync(this.root, { recursive: true, encoding: 'utf8' })
    const leftovers = files.filter((name) =>
      /\.tmp|\.sock$|\.texts\/.|daemon\.json$|\/env$|drafts\/./.test(name),
    )
    return [...leftovers, ...processesOf(this.root).map(commandLine)]
  }

  async end(): Promise<void> {
    for (const pid of processesOf(this.root)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    await waitFor('all processes to be gone', () => processesOf(this.root).length === 0, PATIENCE_MS)
    rmSync(this.root, { recursive: true, force: true })
  }

  protected done = () => readIfThere(join(this.project, 'done.txt'))
  protected sessions = () => join(this.user, '.local/state/holdfast-scripted-agent/sessions')

  /** The agent's own record. */
  protected facts(kind: string): Record<string, unknown>[] {
    const names = existsSync(this.sessions()) ? readdirSync(this.sessions()) : []
    const lines = names.flatMap((name) => readFileSync(join(this.sessions(), name), 'utf8').split('\n'))
    return lines.filter((line) => line.startsWith(`{"${kind}"`)).map((line) => JSON.parse(line))
  }

  #env = () => ({ PATH: process.env.PATH!, HOME: this.user })

  #spawn(more: Record<string, string> = {}): void {
    const env = { ...this.#env(), HOLDFAST_HOME: this.home, LANG: 'C.UTF-8', ...more }
    this.#daemon = spawn(process.execPath, [DAEMON, '--home', this.home], { env, stdio: 'ignore' })
  }

  /** One that was killed gets a successor, which nobody kills. */
  async #daemonRuns(): Promise<void> {
    await waitFor(
      'a daemon that listens',
      () => {
        if (!isRunning(this.#daemon)) {
          this.killed ||= this.#daemon?.signalCode === 'SIGKILL'
          this.#spawn()
        }
        return accepts(join(this.home, 'daemon.sock'))
      },
      PATIENCE_MS,
    )
  }

  protected async until<T>(
    what: string,
    check: () => T | false | undefined | Promise<T | false | undefined>,
  ): Promise<T> {
    return waitFor(
      what,
      async () => {
        if (!isRunning(this.#daemon)) await this.#daemonRuns()
        return check()
      },
      PATIENCE_MS,
    )
  }

  protected task = (id: string) => this.get<TaskDetailJson>(`/api/tasks/${id}`)

  protected async get<T>(path: string): Promise<T> {
    for (;;) {
      const answer = await this.call<T>('GET', path)
      if (answer !== undefined) return answer
    }
  }

  /** Undefined when the daemon died over it, or said no. */
  protected async call<T>(
    method: string,
    path: string,
    body?: unknown,
    as: Record<string, string> = {},
  ): Promise<T | undefined> {
    await this.#daemonRuns()
    return ask<T>(join(this.home, 'daemon.sock'), method, path, body, as)
  }
}

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

const commandLine = (pid: number) =>
  `${pid} ${readIfThere(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200)}`
