// The real scripted agent for tests: built once per test file, run as a real child.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, onTestFinished } from 'vitest'
import { tempDir } from './temp-dir.ts'
import { waitFor } from './wait-for.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let built: Promise<readonly string[]> | undefined
let outdir: string | undefined
afterAll(() => outdir && rmSync(outdir, { recursive: true, force: true }))

/** The beginning of its argv. */
export function scriptedAgent(): Promise<readonly string[]> {
  built ??= buildAgent()
  return built
}

async function buildAgent(): Promise<readonly string[]> {
  outdir = mkdtempSync(join(tmpdir(), 'hf-agent-'))
  await build({
    absWorkingDir: root,
    entryPoints: { 'scripted-agent': 'src/agents/scripted/program/main.ts' },
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  })
  return [process.execPath, join(outdir, 'scripted-agent.mjs')]
}

export type AgentEvent = { readonly type: string } & Readonly<Record<string, unknown>>
export type Heard = {
  readonly heard: string
  readonly at: number
  readonly pid: number
  readonly run: string | null
  readonly resumed: boolean
}

/** Every line of a session's file, parsed. */
export const remembered = (home: string, id: string): Record<string, unknown>[] =>
  jsonLines(readFileSync(join(home, 'sessions', `${id}.jsonl`), 'utf8'))

/** What a session was told, in order. */
export const heardBy = (home: string, id: string): Heard[] =>
  remembered(home, id).filter((fact): fact is Heard => typeof fact.heard === 'string')

type Options = { home?: string; cwd?: string; args?: readonly string[]; env?: Record<string, string> }
type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** A headless agent at work; it ends with the test at the latest. */
export class HeadlessAgent {
  readonly home: string
  readonly cwd: string
  readonly child: Child
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  stderr = ''
  readonly #out: Buffer[] = []

  static async start(options: Options = {}): Promise<HeadlessAgent> {
    return new HeadlessAgent(await scriptedAgent(), options)
  }

  /** Runs to its end with this prompt. */
  static async run(prompt: string, options: Options = {}) {
    const agent = await HeadlessAgent.start(options)
    agent.child.stdin.end(prompt)
    return { agent, ...(await agent.ended) }
  }

  private constructor([program = '', ...prefix]: readonly string[], options: Options) {
    this.home = options.home ?? tempDir()
    this.cwd = options.cwd ?? tempDir()
    const env = { PATH: process.env.PATH, SCRIPTED_AGENT_HOME: this.home, ...options.env }
    this.child = spawn(program, [...prefix, '--json', ...(options.args ?? [])], { cwd: this.cwd, env })
    this.child.stdin.on('error', () => {})
    this.child.stdout.on('data', (bytes: Buffer) => this.#out.push(bytes))
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code, signal) => resolve({ code, signal }))
    })
    onTestFinished(() => void this.child.kill('SIGKILL'))
  }

  get stdout(): Buffer {
    return Buffer.concat(this.#out)
  }

  /** The whole lines so far that are JSON. */
  get events(): AgentEvent[] {
    const text = this.stdout.toString('utf8')
    return jsonLines(text.slice(0, text.lastIndexOf('\n') + 1)) as AgentEvent[]
  }

  of(type: string): AgentEvent[] {
    return this.events.filter((event) => event.type === type)
  }

  get sessionId(): string {
    return String(this.of('session')[0]?.id)
  }

  event(type: string): Promise<AgentEvent> {
    return waitFor(`a ${type} event`, () => this.of(type)[0])
  }
}

function jsonLines(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Record<string, unknown>]
    } catch {
      return []
    }
  })
}
