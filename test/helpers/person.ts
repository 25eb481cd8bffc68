import { privateTmux } from './tmux-server.ts'
import { waitFor } from './wait-for.ts'
import { CLI, type World } from './world.ts'

/** So long a person waits before they press again. */
const PRESS_AGAIN_MS = 2000
/** As a key that is kept down repeats. */
const REPEAT_MS = 33

/** A terminal of a person's own, in which they run the CLI. */
export function personAt(world: Pick<World, 'env' | 'project'>) {
  const { tmux } = privateTmux()
  const env = Object.entries(world.env).map(([name, value]) => `${name}=${value}`)
  const types = (...keys: string[]) => tmux('send-keys', '-t', 'person', ...keys)
  const ended = () => /exit=(\d+)/.exec(tmux('capture-pane', '-p', '-t', 'person'))?.[1]
  return {
    types,
    holds: (key: string) => held(async () => void types(key)),
    /** tmux forgets the exit status of some lone deaths, so the terminal itself says it. */
    runs: (...args: string[]) =>
      tmux(
        ...['new-session', '-d', '-s', 'person', '-x', '90', '-y', '24', '-c', world.project],
        ...[
          'sh',
          '-c',
          'trap : INT; "$@"; echo "exit=$?"; exec cat',
          'sh',
          'env',
          '-i',
          ...env,
          process.execPath,
          CLI,
          ...args,
        ],
      ),
    shows: (words: string) =>
      waitFor(`'${words}' on the person's screen`, () =>
        tmux('capture-pane', '-p', '-J', '-t', 'person').includes(words),
      ),
    /** A bell came to this terminal. */
    wasRung: () => tmux('display-message', '-p', '-t', 'person', '#{window_bell_flag}').trim() === '1',
    exitCode: () => waitFor('the command to end', ended),
    /**
     * Leaves the tmux that they are attached to, and returns the exit code. tmux takes keys that come at once, as on a busy
     * machine, for a paste, which is no command.
     */
    async detaches(): Promise<string> {
      let pressedAt = Number.NEGATIVE_INFINITY
      return waitFor(
        'the person to leave',
        () => {
          const code = ended()
          if (code !== undefined || performance.now() - pressedAt < PRESS_AGAIN_MS) return code
          types('C-b')
          types('d')
          pressedAt = performance.now()
          return undefined
        },
        20_000,
      )
    },
  }
}

/** Presses again and again until it is let go. */
export function held(press: () => Promise<unknown>) {
  let down = true
  const end = (async () => {
    while (down) {
      await press()
      await new Promise((resume) => setTimeout(resume, REPEAT_MS))
    }
  })()
  return {
    letGo: async () => {
      down = false
      await end
    },
  }
}
