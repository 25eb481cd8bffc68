// A person's terminal with the board in it: a shell in a pane of a private tmux server.
import { execFileSync } from 'node:child_process'
import { privateTmux } from './tmux-server.ts'
import { waitFor } from './wait-for.ts'
import { CLI, type World } from './world.ts'

export type BoardOptions = {
  readonly columns?: number
  readonly rows?: number
  readonly insideTmux?: boolean
}

export async function boardOf(
  world: Pick<World, 'env' | 'project'>,
  args: readonly string[] = [],
  { columns = 80, rows = 24, insideTmux = false }: BoardOptions = {},
) {
  const { tmux } = privateTmux()
  const env = Object.entries(world.env).map(([name, value]) => `${name}=${value}`)
  tmux(
    ...['new-session', '-d', '-s', 'person', '-x', String(columns), '-y', String(rows), '-c', world.project],
    ...(insideTmux ? ['env'] : ['env', '-i']),
    ...[...env, 'PS1=ready$ ', 'bash', '--norc', '--noprofile', '-i'],
  )
  const screen = () => tmux('capture-pane', '-p', '-t', 'person')
  const flag = (name: string) => tmux('display-message', '-p', '-t', 'person', `#{${name}}`)
  const types = (...keys: string[]) => void tmux('send-keys', '-t', 'person', ...keys)
  const until = (what: string | RegExp, withinMs = 15_000) =>
    waitFor(
      `${what} on the board`,
      () => {
        const shown = screen()
        return (typeof what === 'string' ? shown.includes(what) : what.test(shown)) && shown
      },
      withinMs,
    ).catch((error) => {
      throw new Error(`${error.message}\n${screen()}`)
    })
  const settings = () =>
    execFileSync('stty', ['-F', flag('pane_tty'), '-a'], { encoding: 'utf8' }).replace(
      /rows \d+; columns \d+/,
      '',
    )
  await until('ready$')
  const before = settings()
  const start = () => types(`'${process.execPath}' '${CLI}' top ${args.join(' ')}; echo "exit=$?"`, 'Enter')
  start()
  await until('holdfast  ')
  return {
    tmux,
    screen,
    types,
    until,
    start,
    isOnAlternateScreen: () => flag('alternate_on') === '1',
    resize: (x: number, y: number) =>
      void tmux('resize-window', '-t', 'person', '-x', String(x), '-y', String(y)),
    /** The board's own process. */
    pid: () => {
      const shell = flag('pane_pid')
      return Number(execFileSync('pgrep', ['-P', shell, '-n'], { encoding: 'utf8' }).trim())
    },
    /** The terminal as a program would find it after the board. */
    hasTerminalBack: () =>
      waitFor(
        'the terminal as it was',
        () =>
          flag('alternate_on') === '0' &&
          flag('cursor_flag') === '1' &&
          flag('wrap_flag') === '1' &&
          settings() === before,
      ),
  }
}
