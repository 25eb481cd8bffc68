// Runs launch plans of real agent CLIs as plain child processes: own home, own model server, loopback only.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import type {
  AgentDriver,
  AgentSays,
  LaunchPlan,
  LaunchRequest,
  McpServer,
} from '../../src/ports/agent-driver.ts'
import { LinuxProcesses } from '../../src/system/processes.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { type AgentHome, type AgentKind, agentEnvironment, furnish } from './agent-home.ts'
import { type ModelRequest, type ModelServer, startModelServer } from './model-server.ts'

export type Outcome = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** What it wrote to stdout, and what the driver read in it. */
  readonly lines: readonly string[]
  readonly says: readonly AgentSays[]
  readonly stderr: string
}

/** What a run needs of a driver; a test may bring its own. */
export type Launcher = Pick<AgentDriver, 'kind' | 'launch' | 'readEvent'>

export type Running = {
  readonly pid: number
  readonly says: readonly AgentSays[]
  readonly ended: Promise<Outcome>
  /** Waits until something said fits. */
  until(what: string, fits: (says: AgentSays) => boolean): Promise<AgentSays>
  /** To the first process alone, as a terminal or a careless killer would. */
  signal(signal: NodeJS.Signals): void
  /** SIGKILL for everything of this run, tools and all; resolves when all are gone. */
  kill(): Promise<Outcome>
}

type Options = { readonly env?: Readonly<Record<string, string>> }
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
    return {
      mode: 'headless',
      model: null,
      prompt: 'Say hello.',
      persona: null,
      dir: this.project,
      permission: 'default',
      extraDirs: [],
      mcp: [],
      sessionId: randomUUID(),
      resume: null,
      filesDir: mkdtempSync(join(this.#root, 'files-')),
      ...overrides,
    }
  }

  /** What the model was asked in this test. */
  requests(): readonly ModelRequest[] {
    return this.#server?.requests ?? []
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

  start(driver: Launcher, request: LaunchRequest, { env = {} }: Options = {}): Running {
    const plan = driver.launch(request)
    for (const { name, content } of plan.files)
      writeFileSync(join(request.filesDir, name), content, { mode: 0o600 })
    const run = randomUUID()
    this.#runs.push(run)
    const surroundings = { ...this.environment(driver.kind as AgentKind), ...env, HOLDFAST_RUN: run }
    const child = startPlan(plan, request.dir, surroundings)
    return watch(child, driver, () => this.#killAll([run]))
  }

  async open(): Promise<void> {
    this.#server = await startModelServer()
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), 'hf-lab-')))
    for (const dir of [this.project, join(this.home, 'tmp')]) mkdirSync(dir, { recursive: true })
    furnish(this.#agentHome())
  }

  async close(): Promise<void> {
    await this.#killAll(this.#runs)
    this.#runs = []
    await this.#server?.[Symbol.asyncDispose]()
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 })
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

function startPlan(plan: LaunchPlan, cwd: string, env: Record<string, string>) {
  const [program = '', ...args] = plan.argv
  const child = spawn(program, args, { cwd, env: { ...env, ...plan.env }, detached: true })
  // It may end before it read everything: then there is nobody to tell.
  child.stdin.on('error', () => {})
  child.stdin.end(plan.stdin)
  return child
}

function watch(
  child: ChildProcessWithoutNullStreams,
  driver: Launcher,
  killTree: () => Promise<void>,
): Running {
  const lines: string[] = []
  const says: AgentSays[] = []
  let stderr = ''
  createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    lines.push(line)
    says.push(...driver.readEvent(line))
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, lines, says, stderr }))
  })
  return {
    pid: child.pid ?? 0,
    says,
    ended,
    until: (what, fits) => saying(what, says, fits, ended),
    signal: (signal) => void child.kill(signal),
    kill: async () => {
      await killTree()
      return ended
    },
  }
}

/** Fails at once, with all that was said, when the run ends without it. */
async function saying(
  what: string,
  says: readonly AgentSays[],
  fits: (says: AgentSays) => boolean,
  ended: Promise<Outcome>,
): Promise<AgentSays> {
  let end: Outcome | undefined
  void ended.then((outcome) => {
    end = outcome
  })
  return waitFor(
    what,
    () => {
      const found = says.find(fits)
      if (!found && end) throw new Error(`it ended before ${what}: ${JSON.stringify(end)}`)
      return found
    },
    60_000,
  )
}
