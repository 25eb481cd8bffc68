import type { PaneId } from '../../../src/domain/names/ids.ts'
import type { PaneView, Terminal, TerminalEvent } from '../../../src/ports/run/terminal.ts'

/** A terminal that was started, and hands to do to it what people, programs and fate do. */
export type TerminalWorld = {
  readonly terminal: Terminal
  readonly events: readonly TerminalEvent[]
  /** A directory to work in. */
  readonly dir: string
  /** Wall time of the terminal's clock. */
  now(): number
  /** Opens a pane whose program draws this and takes all that is typed. Its mark is its name, unless told otherwise. */
  opens(name: string, how?: { text?: string; title?: string; mark?: string }): Promise<PaneId>
  /** All that its program was given by us, key by key: `paste <text>`, `press <key>`. Asked for last. */
  typed(name: string): Promise<string[]>
  /** Its program ends. */
  dies(name: string): Promise<void>
  /** A person looks through its history, or no more. */
  setInMode(name: string, inMode: boolean): Promise<void>
  /** A person comes to the pane and presses a key. */
  personTypes(name: string): Promise<void>
  /** kill -9; resolves when that and what follows was told. */
  killServer(): Promise<void>
  /** kill -STOP and kill -CONT. */
  stopServer(): void
  continueServer(): void
  setThere(isThere: boolean): void
  /** So much time goes by. */
  pass(ms: number): Promise<void>
}

export type StartTerminal = (options?: {
  /** The first rest of a server that died too often. */
  readonly restMs?: number
  /** Whether there is a terminal program at all. */
  readonly isThere?: boolean
}) => Promise<TerminalWorld>

export const SLEEP = ['sleep', '1000']

/** Pane `s` with the mark `s`, and what is done to it. */
export async function openOne(world: TerminalWorld, text = 'ready') {
  const { terminal } = world
  const pane = await world.opens('s', { text })
  const look = async (): Promise<PaneView> => (await terminal.look('s', 's'))!
  return {
    pane,
    look,
    paste: (tag: string, what: string) => terminal.paste('s', 's', tag, what),
    press: (tag: string, ...keys: string[]) => terminal.press('s', 's', tag, keys),
    clear: async (tag: string, ...keys: string[]) => terminal.clear('s', 's', tag, keys, await look()),
    typed: () => world.typed('s'),
  }
}
