// Owns starting programs by argument array, never through a shell.
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { codeOf } from '../../domain/system-error.ts'

type Argv = readonly string[]
type Env = Readonly<Record<string, string | undefined>>

export type ExecOptions = {
  readonly cwd?: string
  readonly env?: Env
  readonly input?: string | Uint8Array
  /** The program is killed when it has taken this long. */
  readonly timeoutMs?: number
  /** How much of stdout, and of stderr, is kept; what comes after is read and dropped. */
  readonly mostBytes?: number
}

export type ExecResult = {
  /** Null when a signal ended it. As in a shell, 127 means not found and 126 not startable. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
}

/** Runs a program and gives back what it said. Never throws because of the program. */
export function exec(argv: Argv, options: ExecOptions = {}): Promise<ExecResult> {
  const { timeoutMs = 30_000, mostBytes = 1024 * 1024 } = options
  const child = start(argv, options, 'pipe')
  const stdout = capture(child.stdout, mostBytes)
  const stderr = capture(child.stderr, mostBytes)
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
    // A grandchild may hold the pipes open for ever.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, timeoutMs)
  // It may end without reading its input.
  child.stdin?.on('error', () => {}).end(options.input)
  return new Promise((resolve) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null, problem = '') => {
      clearTimeout(timer)
      resolve({ code, signal, stdout: stdout(), stderr: stderr() + problem, timedOut })
    }
    child.once('error', (error) => finish(startFailure(error), null, error.message))
    child.once('close', finish)
  })
}

export type Detached = {
  readonly pid: number
  /** Its exit code, null when a signal ended it. */
  readonly exited: Promise<number | null>
}

/** Starts a program that outlives us, in its own session, its output appended to `log` (a descriptor). */
export async function spawnDetached(
  argv: Argv,
  options: { readonly cwd?: string; readonly env: Env; readonly log: number | 'ignore' },
): Promise<Detached> {
  const child = start(argv, options, ['ignore', options.log, options.log], true)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  child.unref()
  return { pid: child.pid as number, exited }
}

/** Gives a program our terminal until it ends. Returns its exit code as a shell would. */
export async function runInherited(
  argv: Argv,
  options: { readonly cwd?: string; readonly env?: Env } = {},
): Promise<number> {
  const ignore = () => {}
  // Ctrl-C reaches us too, but the program alone decides what it means.
  process.on('SIGINT', ignore).on('SIGQUIT', ignore)
  try {
    const child = start(argv, options, 'inherit')
    return await new Promise((resolve) => {
      child.once('error', (error) => resolve(startFailure(error)))
      child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
    })
  } finally {
    process.off('SIGINT', ignore).off('SIGQUIT', ignore)
  }
}

function start(
  [program = '', ...args]: Argv,
  { cwd, env }: { readonly cwd?: string; readonly env?: Env },
  stdio: 'pipe' | 'inherit' | ['ignore', number | 'ignore', number | 'ignore'],
  detached = false,
): ChildProcess {
  return spawn(program, args, { cwd, env: env as NodeJS.ProcessEnv | undefined, stdio, detached })
}

const startFailure = (error: Error) => (codeOf(error) === 'ENOENT' ? 127 : 126)

function capture(stream: Readable | null, mostBytes: number): () => string {
  const chunks: Buffer[] = []
  let kept = 0
  stream?.on('data', (chunk: Buffer) => {
    const wanted = chunk.subarray(0, mostBytes - kept)
    kept += wanted.length
    if (wanted.length > 0) chunks.push(wanted)
  })
  return () => Buffer.concat(chunks).toString()
}
