// Owns how the bridge ends: first the programs that it started, then the bridge itself, in the same way.
import type { ChildProcess } from 'node:child_process'

/** How long we wait for the last request to the server, and then for each program. */
const PATIENCE_MS = 3000
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

export type Stop = {
  /** The child ends with the bridge, and the bridge ends with the child. */
  with(child: ChildProcess): void
  /** The task is done before the end, if there is time. */
  before(task: () => Promise<unknown>): void
  exit(code: number): void
  fail(error: unknown): void
}

export function stopOf(self: NodeJS.Process): Stop {
  const children: ChildProcess[] = []
  let last: () => Promise<unknown> = async () => {}
  let ending = false
  const end = async (leave: () => void) => {
    if (ending) return
    ending = true
    await inTime(last().catch(() => {}))
    // The newest first: that is the screen, which must restore the terminal.
    for (const child of children.reverse()) await endChild(child)
    leave()
  }
  const exit = (code: number) => void end(() => self.exit(code))
  const die = (signal: NodeJS.Signals) =>
    void end(() => {
      self.removeAllListeners(signal)
      self.kill(self.pid, signal)
    })
  for (const signal of SIGNALS) self.on(signal, () => die(signal))
  return {
    with(child) {
      children.push(child)
      child.on('exit', (code, signal) => (signal === null ? exit(code ?? 1) : die(signal)))
      child.on('error', (error) => fail(error))
    },
    before(task) {
      last = task
    },
    exit,
    fail,
  }

  function fail(error: unknown): void {
    void end(() => {
      self.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      self.exit(1)
    })
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await inTime(gone)
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
}

const inTime = (done: Promise<unknown>) =>
  Promise.race([done, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())])
