// One agent CLI as a child process: started by its plan, read by its driver.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { AgentDriver, AgentSays, LaunchPlan } from '../../src/ports/run/agent-driver.ts'
import { waitFor } from '../helpers/wait-for.ts'

/** What a run needs of a driver; a test may bring its own. */
export type Launcher = Pick<AgentDriver, 'kind' | 'launch' | 'readEvent'>

export type Outcome = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** What it wrote to stdout, and what the driver read in it. */
  readonly lines: readonly string[]
  readonly says: readonly AgentSays[]
  /** Also says why it could not be started. */
  readonly stderr: string
}

export type Running = {
  readonly pid: number | undefined
  /** What it said so far. */
  readonly says: readonly AgentSays[]
  readonly ended: Promise<Outcome>
  /** Waits until something said fits; fails when it ends without. */
  until(what: string, fits: (says: AgentSays) => boolean): Promise<AgentSays>
  /** Adds lines to its input, where it converses. */
  tell(lines: string | null | undefined): void
  /** Ends the feeder, as the end of a conversation does. */
  hangUp(): void
  /** To the first process alone, as a terminal or a careless killer would. */
  signal(signal: NodeJS.Signals): void
  /** SIGKILL for everything of this run, tools and all; resolves when all are gone. */
  kill(): Promise<Outcome>
}

type Surroundings = {
  readonly dir: string
  readonly env: Record<string, string>
  /** The file that is fed to it, line by line as it grows; without one it gets the plan's stdin whole. */
  readonly input: string | undefined
  readonly readEvent: AgentDriver['readEvent']
  readonly killAll: () => Promise<void>
}

export function startPlan(plan: LaunchPlan, { dir, env, input, readEvent, killAll }: Surroundings): Running {
  const [program = '', ...args] = plan.argv
  const feeder = input === undefined ? undefined : feed(input, plan.stdin, env)
  const child = spawn(program, args, {
    cwd: dir,
    env,
    detached: true,
    stdio: [feeder?.stdout ?? 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessWithoutNullStreams
  feeder?.stdout.destroy()
  // It may end before it read everything: then there is nobody to tell.
  if (!feeder) child.stdin.on('error', () => {}).end(plan.stdin)
  const lines: string[] = []
  const says: AgentSays[] = []
  let stderr = ''
  eachLine(child.stdout, (line) => {
    lines.push(line)
    says.push(...readEvent(line))
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Outcome>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) =>
      resolve({ code, signal, lines, says, stderr })
    child.on('close', end).on('error', (error) => {
      stderr += String(error)
      end(null, null)
    })
  })
  return {
    pid: child.pid,
    says,
    ended,
    until: (what, fits) => saying(what, says, fits, ended),
    tell: (lines) => appendFileSync(input!, lines!),
    hangUp: () => void feeder?.kill(),
    signal: (signal) => void child.kill(signal),
    kill: async () => {
      await killAll()
      return ended
    },
  }
}

/** As the shim does it. */
function feed(input: string, opening: string, env: Record<string, string>) {
  writeFileSync(input, opening)
  return spawn('tail', ['-n', '+1', '-f', input], { env, stdio: ['ignore', 'pipe', 'ignore'] })
}

/** Lines end with LF and nothing else: JSON may hold other line separators. */
function eachLine(stream: Readable, take: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(take)
  })
  stream.on('end', () => {
    if (rest !== '') take(rest)
  })
}

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
  const find = () => {
    const found = says.find(fits)
    if (!found && end) throw new Error(`it ended before ${what}: ${JSON.stringify(end)}`)
    return found
  }
  return waitFor(what, find, 60_000)
}
