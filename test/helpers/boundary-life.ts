// One life of a task, from creation over a killed agent, a question and its answer, and a trigger that is acknowledged, to
// its end, under a daemon that
// may be killed at one of its writes (kill-at-write.mjs). Whoever follows it here sees to it that a daemon runs.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { CONTINUATION } from '../../src/domain/task/go-on.ts'
import { HEADER_RUN } from '../../src/protocol/headers.ts'
import type { CreatedJson } from '../../src/protocol/json/create-json.ts'
import type { TaskDetailJson, TaskListJson } from '../../src/protocol/json/task-json.ts'
import type { TriggerDetailJson, TriggerListJson } from '../../src/protocol/json/trigger-json.ts'
import { accepts, ask, isRunning } from './daemon-socket.ts'
import { isAlive } from './is-alive.ts'
import { waitFor } from './wait-for.ts'
import { heardIn, processesOf } from './world.ts'

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
const PROMPT = [
  'do: say alpha',
  'do: append done.txt one',
  'do: wait-for go',
  'do: append done.txt two',
  'do: ask Which colour? | red | green',
  'do: append done.txt three',
  'do: result {"colour":"green"}',
  'do: say omega',
].join('\n')
/** How the lines of its log begin: all it said and was told, each once. */
const SHOWN = [
  ...['prompt:', 'agent:', 'tool:', 'tool done:'],
  ...['prompt:', 'tool:', 'tool done:', 'asks:', 'answer:', 'tool:', 'tool done:', 'agent:', 'result:'],
  ...['prompt:', 'agent:', 'result:'],
]
/** A trigger of three lines, in its envelope. */
const TRIGGER = 'a trigger\ndo: wait-for acknowledged\ndo: say told'
const LEDGER = ['queued', 'typed', 'submitted', 'acknowledged', 'done']
const THREAD = 'th_01JXYZ'
const PATIENCE_MS = 60_000

/** Lives the life with a kill just before write `killAt`, checks all it left, and tells how many writes there were until then. */
export async function liveWithKill(killAt: number): Promise<{ writes: string[]; killed: boolean }> {
  const life = new Life()
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

class Life {
  readonly root = mkdtempSync(join(tmpdir(), 'hfb'))
  readonly home = join(this.root, 'h')
  readonly project = join(this.root, 'project')
  readonly user = join(this.root, 'user')
  killed = false
  #daemon: ChildProcess | undefined

  async start(killAt: number): Promise<void> {
    mkdirSync(this.home, { mode: 0o700 })
    mkdirSync(this.project)
    mkdirSync(join(this.user, '.config/holdfast'), { recursive: true })
    writeFileSync(join(this.user, '.config/holdfast/config.yaml'), CONFIG.join('\n'))
    this.#spawn({
      NODE_OPTIONS: `--import=${PRELOAD}`,
      KILL_AT_WRITE: String(killAt),
      KILL_AT_WRITE_LOG: join(this.root, 'writes'),
    })
    await this.#daemonRuns()
  }

  writes(): string[] {
    const log = join(this.root, 'writes')
    return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []
  }

  /** The person's side: what is not acknowledged is looked up before it is said again. */
  async live(): Promise<void> {
    const id = await this.#create()
    await this.#until('its first steps', () => this.#facts('step').length === 2)
    process.kill(await this.#until('an agent', () => this.#livingAgent()), 'SIGKILL')
    await this.#until('a second life', () => this.#lives().length === 2)
    writeFileSync(join(this.project, 'go'), '')
    await this.#until('the question', async () => (await this.#task(id)).questions.length > 0)
    await this.#until('the answer to be taken', async () => {
      await this.#call('POST', `/api/tasks/${id}/answer`, { choice: 'green' })
      return (await this.#task(id)).questions.length === 0
    })
    await this.#until('the last step', async () => (await this.#task(id)).phase === 'idle')
    await this.#trigger(id)
    await this.#until('its end', async () => {
      const { status } = await this.#task(id)
      if (status === 'RUNNING') await this.#call('POST', `/api/tasks/${id}/inputs`, { end: true })
      return status === 'COMPLETED' && !existsSync(join(this.home, 'tasks', id, 'env'))
    })
  }

  /** A creation that was not acknowledged has happened whole or left nothing. */
  async #create(): Promise<string> {
    const body = { prompt: PROMPT, dir: this.project, converse: true, allow_dir: true, env: this.#env() }
    const created = await this.#call<CreatedJson>('POST', '/api/tasks', body)
    if (created !== undefined) return created.task.session_id
    const { tasks } = await this.#get<TaskListJson>('/api/tasks')
    if (tasks.length > 0) return tasks[0]!.session_id
    expect(readdirSync(join(this.home, 'tasks'))).toEqual([])
    const sessions = join(this.project, '.holdfast/sessions')
    expect(existsSync(sessions) ? readdirSync(sessions) : []).toEqual([])
    return (await this.#call<CreatedJson>('POST', '/api/tasks', body))!.task.session_id
  }

  /** Sent again and again with the same key, it is the same trigger. */
  async #trigger(id: string): Promise<void> {
    const body = { prompt: TRIGGER, thread: THREAD, key: 'once' }
    const state = async () => (await this.#ledger())?.state
    await this.#until('the trigger to be submitted', async () => {
      await this.#call('POST', `/api/tasks/${id}/inputs`, body)
      return (await state()) === 'submitted'
    })
    await this.#until('its acknowledgement', async () => {
      const { run_id } = await this.#task(id)
      const { trigger_id } = (await this.#ledger())!
      await this.#call('POST', `/api/triggers/${trigger_id}/ack`, undefined, { [HEADER_RUN]: String(run_id) })
      return (await state()) === 'acknowledged'
    })
    writeFileSync(join(this.project, 'acknowledged'), '')
    await this.#until('the end of its turn', async () => (await state()) === 'done')
  }

  async #ledger(): Promise<TriggerDetailJson | undefined> {
    const { triggers } = await this.#get<TriggerListJson>(`/api/triggers?thread=${THREAD}`)
    expect(triggers.length).toBeLessThanOrEqual(1)
    const [one] = triggers
    return one === undefined ? undefined : this.#get(`/api/triggers/${one.trigger_id}`)
  }

  async check(): Promise<void> {
    const { tasks } = await this.#get<TaskListJson>('/api/tasks')
    expect(tasks).toHaveLength(1)
    const { session_id: id, result_file } = tasks[0]!
    expect(this.#done()).toBe('one\ntwo\nthree\n')
    expect(JSON.parse(readFileSync(result_file, 'utf8'))).toEqual({ colour: 'green' })
    expect(this.#facts('answered')).toMatchObject([{ answered: 'green' }])
    const trigger = (await this.#ledger())!
    const told = heardIn(this.#sessions())
    expect(told.map(({ heard, resumed }) => [heard, resumed])).toEqual([
      [PROMPT, false],
      [CONTINUATION, true],
      [`[BRIDGE_TRIGGER id=${trigger.trigger_id} thread=${THREAD}]\n${TRIGGER}\n[/BRIDGE_TRIGGER]`, true],
    ])
    expect(trigger).toMatchObject({ state: 'done', acknowledged_by: 'ack_trigger', key: 'once' })
    expect(trigger.steps.map(({ state }) => state)).toEqual(LEDGER)
    const output = readFileSync(join(this.home, 'tasks', id, 'output.log'), 'utf8')
    expect(output.match(/^[a-z][a-z ]*:/gm)).toEqual(SHOWN)
    const log = readFileSync(join(this.home, 'tasks', id, 'session.log'), 'utf8')
    expect(log.match(/→ (COMPLETED|FAILED)/g)).toEqual(['→ COMPLETED'])
    await this.#stop()
    expect(this.#left().join('\n')).toBe('')
  }

  /** In order, so that nothing but the store and the task's files may be left; a kill on the way is made up for. */
  async #stop(): Promise<void> {
    for (;;) {
      const stopping = await this.#call('POST', '/api/shutdown')
      await waitFor('the daemon to be gone', () => !isRunning(this.#daemon), PATIENCE_MS)
      if (stopping !== undefined && this.#daemon?.signalCode === null) return
      await this.#daemonRuns()
    }
  }

  #left(): string[] {
    const files = readdirSync(this.root, { recursive: true, encoding: 'utf8' })
    const leftovers = files.filter((name) => /\.tmp|\.sock|daemon\.json$|\/env$|drafts\/./.test(name))
    return [...leftovers, ...processesOf(this.root).map(commandLine)]
  }

  async end(): Promise<void> {
    for (const pid of processesOf(this.root)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    await waitFor('all processes to be gone', () => processesOf(this.root).length === 0, PATIENCE_MS)
    rmSync(this.root, { recursive: true, force: true })
  }

  #done = () => readIfThere(join(this.project, 'done.txt'))
  #sessions = () => join(this.user, '.local/state/holdfast-scripted-agent/sessions')

  /** The agent's own record. */
  #facts(kind: string): Record<string, unknown>[] {
    const names = existsSync(this.#sessions()) ? readdirSync(this.#sessions()) : []
    const lines = names.flatMap((name) => readFileSync(join(this.#sessions(), name), 'utf8').split('\n'))
    return lines.filter((line) => line.startsWith(`{"${kind}"`)).map((line) => JSON.parse(line))
  }

  #lives = () => this.#facts('life')

  #livingAgent(): number | undefined {
    const pid = Number(this.#lives().at(-1)?.pid ?? 0)
    return pid > 0 && isAlive(pid) ? pid : undefined
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

  async #until<T>(
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

  #task = (id: string) => this.#get<TaskDetailJson>(`/api/tasks/${id}`)

  async #get<T>(path: string): Promise<T> {
    for (;;) {
      const answer = await this.#call<T>('GET', path)
      if (answer !== undefined) return answer
    }
  }

  /** Undefined when the daemon died over it, or said no. */
  async #call<T>(
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
