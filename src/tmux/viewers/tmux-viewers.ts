// Owns the TerminalViewers port on tmux: each viewer is a client of tmux, in a terminal of the size of the pane's window.
import type { Clock } from '../../ports/clock.ts'
import type { ProcessIdentities } from '../../ports/run/processes.ts'
import type { Pty, PtySize, Ptys } from '../../ports/run/pty.ts'
import type { TerminalViewers, Viewer, ViewerSize, ViewerSpec } from '../../ports/run/terminal-viewers.ts'
import { KnownProcesses } from '../link/known-processes.ts'
import { RecordedViewers } from './recorded-viewers.ts'
import { sizeFor, viewArgs, type WindowSeen } from './view-commands.ts'

/** Nothing tells that somebody else made the window another size, or that its pane is another one now. */
const LOOK_AGAIN_MS = 1000
/** A client of tmux ends at once when its terminal closes. A tmux server that hangs keeps it. */
const GONE_WITHIN_MS = 2000

export type ViewersOptions = {
  readonly terminal: {
    window(task: string, mark: string): Promise<WindowSeen | undefined>
    client(args: readonly string[]): {
      readonly argv: readonly [string, ...string[]]
      readonly env: Record<string, string>
    }
  }
  readonly ptys: Ptys
  readonly socket: string
  readonly clock: Clock
  readonly processes: ProcessIdentities
  readonly newName: () => string
}

type Open = { readonly viewer: Viewer; readonly gone: Promise<void> }

export class TmuxViewers implements TerminalViewers {
  readonly #options: ViewersOptions
  readonly #recorded: RecordedViewers
  readonly #open = new Set<Open>()

  constructor(options: ViewersOptions) {
    this.#options = options
    const processes = new KnownProcesses(options.processes, options.clock)
    this.#recorded = new RecordedViewers(options.socket, processes)
  }

  /** Before the first viewer: those that a killed daemon left are ended. */
  endLeftovers = () => this.#recorded.endLeftovers()

  async sizeOf({ task, mark }: Pick<ViewerSpec, 'task' | 'mark'>): Promise<PtySize | undefined> {
    await this.#options.ptys.check()
    const seen = await this.#options.terminal.window(task, mark)
    return seen && sizeFor(seen)
  }

  async open(spec: ViewerSpec): Promise<Viewer | undefined> {
    const { terminal, ptys, newName } = this.#options
    await ptys.check()
    const seen = await terminal.window(spec.task, spec.mark)
    if (seen === undefined) return undefined
    const { argv, env } = terminal.client(viewArgs(seen, newName(), spec.typing))
    const size = sizeFor(seen)
    const pty = await ptys.start({ argv, env: { ...env, TERM: 'xterm-256color' }, ...size })
    this.#recorded.add(pty.pid)
    return this.#keep(pty, spec, size)
  }

  /** For the end of the daemon: no client of ours stays at the server. */
  async endAll(): Promise<void> {
    const open = [...this.#open]
    for (const { viewer } of open) viewer.end()
    const all = Promise.all(open.map(({ gone }) => gone))
    await Promise.race([all, this.#options.clock.sleep(open.length === 0 ? 0 : GONE_WITHIN_MS)])
  }

  #keep(pty: Pty, spec: ViewerSpec, size: ViewerSize): Viewer {
    const watch = this.#watchWindow(pty, spec, size)
    const gone = new Promise<void>((resolve) => pty.onExit(resolve))
    const viewer: Viewer = {
      size,
      onData: (hear) => pty.onData(hear),
      onSize: watch.onSize,
      onEnd: (hear) => void gone.then(hear),
      type: (bytes) => {
        if (spec.typing) pty.write(bytes)
      },
      pause: () => pty.pause(),
      resume: () => pty.resume(),
      end: () => {
        // A paused terminal would not hear of its end.
        pty.resume()
        pty.hangUp()
      },
    }
    const open = { viewer, gone }
    this.#open.add(open)
    void gone.then(() => {
      this.#open.delete(open)
      this.#recorded.remove(pty.pid)
      watch.stop()
    })
    return viewer
  }

  /** Follows the size of the window. Without its pane the viewer ends: no key may go elsewhere. */
  #watchWindow(pty: Pty, { task, mark }: ViewerSpec, first: ViewerSize) {
    const { clock, terminal } = this.#options
    let now = first
    let hear: (size: ViewerSize) => void = () => {}
    const look = async () => {
      const seen = await terminal.window(task, mark).catch(() => null)
      if (stopped) return
      if (seen === undefined) return pty.hangUp()
      const size = seen === null ? now : sizeFor(seen)
      if (isOther(size, now)) {
        now = size
        pty.resize(size)
        hear(size)
      }
      callOff = clock.after(LOOK_AGAIN_MS, () => void look())
    }
    let stopped = false
    let callOff = clock.after(LOOK_AGAIN_MS, () => void look())
    return {
      onSize: (listener: (size: ViewerSize) => void) => {
        hear = listener
      },
      stop: () => {
        stopped = true
        callOff()
      },
    }
  }
}

const isOther = (one: ViewerSize, other: ViewerSize) =>
  one.columns !== other.columns || one.rows !== other.rows || one.statusLines !== other.statusLines
