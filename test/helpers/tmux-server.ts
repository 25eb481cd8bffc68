import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/ports/clock.ts'
import type { TerminalEvent } from '../../src/ports/run/terminal.ts'
import { processIdentities } from '../../src/system/processes/identities.ts'
import type { LinkOptions } from '../../src/tmux/link/server-link.ts'
import { TmuxTerminal } from '../../src/tmux/tmux-terminal.ts'
import { isAlive } from './is-alive.ts'
import { tempDir } from './temp-dir.ts'
import { waitFor } from './wait-for.ts'

/** Real time, but `skip` makes the clock's hands jump. */
export function skippableClock() {
  let skipped = 0
  const clock: Clock = {
    now: () => Date.now() + skipped,
    minuteOfDay: () => 0,
    monotonic: () => performance.now() + skipped,
    sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)),
    after(ms, call) {
      const timer = setTimeout(call, ms).unref()
      return () => clearTimeout(timer)
    },
  }
  return {
    ...clock,
    skip: (ms: number) => {
      skipped += ms
    },
  }
}

/** A private socket, raw tmux on it, and an end that leaves no server behind. */
export function privateTmux(dir = tempDir()) {
  const socket = join(dir, 's')
  const pids = new Set<number>()
  const run = (...args: string[]) =>
    spawnSync('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', timeout: 5_000 })
  const tmux = (...args: string[]) => {
    const { status, stdout, stderr } = run(...args)
    if (status !== 0) throw new Error(`tmux ${args.join(' ')}: ${stderr}`)
    return stdout.trimEnd()
  }
  const serverPid = () => {
    const pid = Number(run('-N', 'display-message', '-p', '#{pid}').stdout)
    if (pid > 0) pids.add(pid)
    return pid > 0 ? pid : undefined
  }
  onTestFinished(async () => {
    for (const pid of pids) trySignal(pid, 'SIGCONT')
    serverPid()
    run('-N', 'kill-server')
    const gone = () => [...pids].every((pid) => !isAlive(pid))
    await waitFor('the server to end', gone).catch(() => {
      for (const pid of pids) trySignal(pid, 'SIGKILL')
    })
    await waitFor('the server to be gone', gone)
  })
  return { dir, socket, tmux, serverPid }
}

/** A started terminal on a private server, with everything it tells. */
export async function startTerminal(options: Partial<LinkOptions> = {}) {
  const server = privateTmux()
  const clock = skippableClock()
  const { terminal, events } = terminalOn(server.socket, { clock, ...options })
  await terminal.start()
  server.serverPid()
  return { ...server, clock, terminal, events }
}

/** Not started yet; let go of when the test ends. */
export function terminalOn(socket: string, options: Partial<LinkOptions> = {}) {
  const { PATH, HOME, LANG } = process.env
  const terminal = new TmuxTerminal({
    tmuxPath: 'tmux',
    socket,
    env: { PATH, HOME, LANG },
    clock: skippableClock(),
    processes: processIdentities(),
    heartbeatMs: 100,
    ...options,
  })
  const events: TerminalEvent[] = []
  terminal.onEvent((event) => void events.push(event))
  onTestFinished(() => terminal.disconnect())
  return { terminal, events }
}

/** A person with a terminal of 80x24: a pane of another server. */
export function attachSmall(argv: readonly string[]) {
  const person = privateTmux()
  person.tmux('new-session', '-d', '-x', '80', '-y', '24', '--', 'env', '-u', 'TMUX', ...argv)
  person.serverPid()
  return person
}

export function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}
