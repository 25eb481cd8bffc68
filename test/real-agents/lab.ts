// Runs launch plans of real agent CLIs as plain child processes: own home, own model server, loopback only.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import type { AgentSays, LaunchPlan, LaunchRequest, McpServer } from '../../src/ports/run/agent-driver.ts'
import { LinuxProcesses } from '../../src/system/processes/processes.ts'
import { killProcessesBelow } from '../../src/system/processes/processes-below.ts'
import { removeDir } from '../helpers/remove-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { type AgentHome, type AgentKind, agentEnvironment, furnish } from './agent-home.ts'
import type { Directive } from './directives.ts'
import { type ModelRequest, type ModelServer, startModelServer } from './model-server.ts'
import { type Launcher, type Outcome, type Running, startPlan } from './running.ts'

export type { Launcher, Outcome, Running } from './running.ts'

type Options = { readonly env?: Readonly<Record<string, string>> }
export type Prepared = { readonly plan: LaunchPlan; readonly env: Record<string, string> }
type RunOptions = Options & { readonly killWhen?: (says: AgentSays) => boolean }

/** Every test gets its own lab: an empty project, a fresh home, no requests yet. */
export function useLab(): Lab {
  const lab = new Lab()
  beforeEach(() => lab.open())
  afterEach(() => lab.close())
  return lab
}

export class Lab {
  #server: ModelServer | undefined
  #root = ''
  #runs: string[] = []
  readonly #processes = new LinuxProcesses()

  /** Where agents work. */
  get project(): string {
    return join(this.#root, 'project')
  }

  get home(): string {
    return join(this.#root, 'home')
  }

  /** Its tool is `lab_ping`: `DO:mcp{lab_ping}`. */
  readonly mcpServer: McpServer = {
    name: 'lab',
    command: process.execPath,
    args: [fileURLToPath(new URL('lab-mcp.mjs', import.meta.url))],
  }

  environment(kind: AgentKind): Record<string, string> {
    return agentEnvironment(kind, this.#agentHome())
  }

  request(overrides: Partial<LaunchRequest> = {}): LaunchRequest {
    const filesDir = mkdtempSync(join(this.#root, 'files-'))
    return {
      mode: 'headless',
      converse: false,
      model: null,
      prompt: 'Say hello.',
      persona: null,
      dir: this.project,
      permission: 'default',
      extraDirs: [],
      mcp: [],
      sessionId: randomUUID(),
      resume: null,
      filesDir,
      inputFile: join(filesDir, 'in.jsonl'),
      eventsFile: join(filesDir, 'events.jsonl'),
      env: {},
      peek: readIfThere,
      ...overrides,
    }
  }

  /** What the model was asked in this test. */
  requests(): readonly ModelRequest[] {
    return this.#server?.requests ?? []
  }

  /** Otherwise it does what the prompts say. */
  answer(always: Directive | null): void {
    this.#server?.answer(always)
  }

  /** What `held` holds back is answered. */
  letGo(): void {
    this.#server?.letGo()
  }

  /** The model cannot be reached any more. */
  async hangUp(): Promise<void> {
    await this.#server?.hangUp()
  }

  async pickUp(): Promise<void> {
    await this.#server?.pickUp()
  }

  /** Where agents wanted to go that is not the model. */
  strays(): readonly string[] {
    return this.#server?.strays ?? []
  }

  async runPlan(driver: Launcher, request: LaunchRequest, options: RunOptions = {}): Promise<Outcome> {
    const running = this.start(driver, request, options)
    if (options.killWhen) {
      await running.until('something to kill it for', options.killWhen)
      return running.kill()
    }
    return running.ended
  }

  start(driver: Launcher, request: LaunchRequest, options: Options = {}): Running {
    const { plan, env } = this.prepare(driver, request, options)
    return startPlan(plan, {
      dir: request.dir,
      env,
      input: request.converse ? request.inputFile : undefined,
      readEvent: driver.readEvent,
      killAll: () => this.#killAll([env.HOLDFAST_RUN ?? '']),
    })
  }

  /** All that a start needs: its files are written, and what it starts is ended with the test. */
  prepare(driver: Launcher, request: LaunchRequest, { env = {} }: Options = {}): Prepared {
    const surroundings = { ...this.environment(driver.kind as AgentKind), ...env }
    const plan = driver.launch({ ...request, env: { ...surroundings, ...request.env } })
    for (const { name, content } of plan.files)
      writeFileSync(join(request.filesDir, name), content, { mode: 0o600 })
    const run = randomUUID()
    this.#runs.push(run)
    return { plan, env: { ...surroundings, ...plan.env, HOLDFAST_RUN: run } }
  }

  async open(root = mkdtempSync(join(tmpdir(), 'hf-lab-'))): Promise<void> {
    this.#server = await startModelServer()
    this.#root = realpathSync(root)
    for (const dir of [this.project, join(this.home, 'tmp')]) mkdirSync(dir, { recursive: true })
    furnish(this.#agentHome())
  }

  async close(): Promise<void> {
    await this.#killAll(this.#runs)
    this.#runs = []
    // Also those of a daemon, which ends later: who writes once more would make the directory again.
    killProcessesBelow(this.#root)
    await this.#server?.[Symbol.asyncDispose]()
    removeDir(this.#root)
  }

  #agentHome(): AgentHome {
    return { home: this.home, project: this.project, url: this.#server?.url ?? '' }
  }

  /** Again and again: a dying agent may still be starting something. */
  async #killAll(runs: readonly string[]): Promise<void> {
    await waitFor('the end of every process of the run', async () => {
      const alive = [...(await this.#processes.carrying(runs)).values()].flat()
      for (const process of alive) this.#processes.signal(process, 'SIGKILL')
      return alive.length === 0
    })
  }
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
