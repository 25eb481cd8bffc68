// Owns terminals for programs. The library has native code and is optional: it is loaded when the first one is needed.
import { HoldfastError, messageOf } from '../../domain/errors.ts'
import type { Pty, PtySpec, Ptys } from '../../ports/run/pty.ts'

type Library = typeof import('@lydell/node-pty')
/** With `encoding: null` it gives bytes, and takes them, whatever its types say. */
type InBytes = { onData(hear: (bytes: Uint8Array) => void): void; write(bytes: Uint8Array): void }

export const nodePtys: Ptys = {
  check: async () => void (await library()),
  async start({ argv: [program, ...args], columns, rows, env }: PtySpec): Promise<Pty> {
    const { spawn } = await library()
    const size = { cols: columns, rows }
    const pty = spawn(program, args, { ...size, name: env.TERM ?? 'xterm', cwd: '/', env, encoding: null })
    const bytes = pty as unknown as InBytes
    pty.pause()
    return {
      pid: pty.pid,
      onData: (hear) => void bytes.onData(hear),
      onExit: (hear) => void pty.onExit(hear),
      write: (typed) => ifThere(() => bytes.write(typed)),
      resize: (to) => ifThere(() => pty.resize(to.columns, to.rows)),
      pause: () => pty.pause(),
      resume: () => pty.resume(),
      hangUp: () => ifThere(() => pty.kill('SIGHUP')),
    }
  },
}

/** A program may end at any time: what is done to it then is lost, and its end is told by `onExit`. */
function ifThere(act: () => void): void {
  try {
    act()
  } catch {}
}

async function library(): Promise<Library> {
  try {
    return await import('@lydell/node-pty')
  } catch (cause) {
    const [why = ''] = messageOf(cause).split('\n')
    throw new HoldfastError('TERMINAL_LIBRARY_MISSING', `@lydell/node-pty cannot be loaded: ${why}`, {
      cause,
    })
  }
}
