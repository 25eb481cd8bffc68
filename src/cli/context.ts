// Owns what every command gets: home and environment, ways to print, and the client of the daemon.
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import { HoldfastError } from '../domain/errors.ts'
import { homePaths } from '../domain/names/home.ts'
import { VERSION } from '../domain/names/version.ts'
import { checkHome } from '../system/home/safe-home.ts'
import { type Paint, paintIf, wantsColour } from './render/print/colour.ts'
import { callerHeaders } from './wire/caller.ts'
import { DaemonClient } from './wire/client.ts'

export type Context = ReturnType<typeof createContext>

export function createContext({ home, json }: { readonly home: string; readonly json: boolean }) {
  const { env, stdout } = process
  const out = (text: string) => void stdout.write(`${text}\n`)
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const paint: Paint = paintIf(!json && wantsColour(env, stdout.isTTY === true))
  const onVersion = json ? undefined : noticeOtherVersion(say)
  const client = (reach?: () => Promise<void>) => {
    const { socket } = homePaths(home)
    const hasHome = checkHome(home)
    const headersAnew = () => callerHeaders(env)
    const headers = headersAnew()
    return new DaemonClient({ home, hasHome, socket, headers, headersAnew, onVersion, reach })
  }
  const reach = async () => (await import('./starting/reach-daemon.ts')).reachDaemon({ home, env })
  return {
    home,
    json,
    env,
    /** The width of the terminal now, in cells; a pipe has no limit. */
    width: () => (stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY),
    paint,
    /** Prints a line on stdout. */
    out,
    /** Prints a line on stderr: notices and progress, never the answer itself. */
    say,
    /** Rings the bell of the terminal, where there is one. */
    ring: () => void (isatty(2) && process.stderr.write('\x07')),
    /** Prints the answer on stdout: as JSON with --json, else as lines for people. */
    show: (answer: unknown, lines: () => readonly string[]) =>
      out(json ? JSON.stringify(answer, null, 2) : lines().join('\n')),
    /** A client that starts the daemon when none is running. */
    daemon: () => client(reach),
    /** A client that never starts a daemon. */
    runningDaemon: () => client(),
    /** The absolute path of a path that is relative to the current directory. */
    path: (given = '.') => resolve(currentDirectory(), given),
    canAsk: () => isatty(0) && isatty(2),
  }
}

function noticeOtherVersion(say: (line: string) => void) {
  let told = false
  return (version: string) => {
    if (version === VERSION || told) return
    told = true
    say(
      `The daemon has version ${version}, this command has version ${VERSION}. Restart the daemon with \`holdfast down && holdfast up\`.`,
    )
  }
}

function currentDirectory(): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new HoldfastError('DIRECTORY_NOT_FOUND', 'The directory you are in no longer exists.', { cause })
  }
}
