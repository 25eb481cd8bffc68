// Owns what every command gets: where it is, how it speaks, and the daemon.
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import { HoldfastError } from '../domain/errors.ts'
import { homePaths } from '../domain/names/home.ts'
import { VERSION } from '../domain/names/version.ts'
import { checkHome } from '../system/home/safe-home.ts'
import { type Paint, paintIf, wantsColour } from './render/colour.ts'
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
    return new DaemonClient({ home, hasHome, socket, headers: callerHeaders(env), onVersion, reach })
  }
  const reach = async () => (await import('./starting/reach-daemon.ts')).reachDaemon({ home, env })
  return {
    home,
    json,
    env,
    /** Cells of the terminal as it is now; a pipe is never too narrow. */
    width: () => (stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY),
    paint,
    /** A line on stdout. */
    out,
    /** A line on stderr: notices and progress, never the answer itself. */
    say,
    /** The answer, for programs or for people. */
    show: (answer: unknown, lines: () => readonly string[]) =>
      out(json ? JSON.stringify(answer, null, 2) : lines().join('\n')),
    /** Starts the daemon when none is there. */
    daemon: () => client(reach),
    /** Never starts one. */
    runningDaemon: () => client(),
    /** An absolute path, from where the person stands. */
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
