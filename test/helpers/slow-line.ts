// A person's terminal behind a slow line: a shell in a real pty, of which only so many bytes are read in a second, and what
// they have drawn.
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { spawn } from '@lydell/node-pty'
import type { Terminal as XtermTerminal } from '@xterm/headless'
import { onTestFinished } from 'vitest'
import { waitFor } from './wait-for.ts'
import { CLI, type World } from './world.ts'

const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof XtermTerminal }

/** The shell stays when the board has ended: what it has written then must still come over the line. */
const SHELL = 'stty -a > "$2"; "$0" "$1" top; code=$?; stty -a >> "$2"; echo "exit=$code"; exec cat'

/** `settings`: a file for what the terminal is set to, before the board and after it. `speed`: bytes in a second; 0 for none. */
export async function boardBehindLine(
  world: Pick<World, 'env' | 'project'>,
  { settings, speed: first }: { readonly settings: string; readonly speed: number },
) {
  const size = { cols: 120, rows: 40 }
  const args = ['-c', SHELL, process.execPath, CLI, settings]
  const pty = spawn('/bin/sh', args, { ...size, env: world.env, cwd: world.project })
  const drawn = new Terminal({ ...size, allowProposedApi: true, scrollback: 0 })
  let speed = first
  let read = 0
  let timer: NodeJS.Timeout | undefined
  onTestFinished(() => {
    clearTimeout(timer)
    pty.kill('SIGKILL')
  })
  const restAfter = (bytes: number) => {
    clearTimeout(timer)
    if (speed > 0) timer = setTimeout(() => pty.resume(), (bytes / speed) * 1000)
  }
  pty.onData((text) => {
    read += Buffer.byteLength(text)
    drawn.write(text)
    pty.pause()
    restAfter(Buffer.byteLength(text))
  })
  const screen = () =>
    Array.from({ length: size.rows }, (_, at) => drawn.buffer.active.getLine(at)?.translateToString(true))
      .join('\n')
      .trimEnd()
  const until = (what: RegExp, withinMs = 15_000) =>
    waitFor(`${what} on the board`, () => what.test(screen()), withinMs).catch((error) => {
      throw new Error(`${error.message}\n${screen()}`)
    })
  await until(/holdfast {2}/)
  return {
    /** The board's own process. */
    pid: Number(execFileSync('pgrep', ['-P', String(pty.pid), '-n'], { encoding: 'utf8' })),
    types: (keys: string) => pty.write(keys),
    screen,
    until,
    /** So many bytes came over the line. */
    read: () => read,
    isOnAlternateScreen: () => drawn.buffer.active.type === 'alternate',
    /** What the terminal was told to do. `holds`: it shows nothing before the end of an update (mode 2026). */
    modes: () => {
      const { bracketedPasteMode, synchronizedOutputMode, wraparoundMode } = drawn.modes
      return { marksPastes: bracketedPasteMode, holds: synchronizedOutputMode, wraps: wraparoundMode }
    },
    setSpeed(to: number) {
      speed = to
      pty.pause()
      restAfter(0)
    },
  }
}
