// Owns where things lie below HOLDFAST_HOME.
import { HoldfastError } from '../errors.ts'
import type { RunId, TaskId } from './ids.ts'

/** A unix socket's path may have 107 bytes; `daemon.sock` and tmux's share the directory. */
const LONGEST_SOCKET_PATH_BYTES = 107

export type HomePaths = ReturnType<typeof homePaths>

export function homePaths(home: string) {
  const paths = {
    home,
    database: `${home}/holdfast.db`,
    lock: `${home}/daemon.lock.db`,
    /** Who holds the lock: pid, start, version. Only a hint; the lock is the truth. */
    holder: `${home}/daemon.json`,
    socket: `${home}/daemon.sock`,
    daemonLog: `${home}/daemon.log`,
    /** What could only be written to stderr: last words, and what Node prints when it dies. */
    daemonStderr: `${home}/daemon.stderr`,
    /** Which runs the daemon is inside of; see HandlingFile. */
    handling: `${home}/handling`,
    tmuxSocket: `${home}/tmux.sock`,
    nodeId: `${home}/node-id`,
    /** What the tokens of runs are signed with. */
    tokenKeys: `${home}/token-keys.json`,
    orchestratorLog: `${home}/logs/orchestrator.log`,
    runs: `${home}/runs`,
    exits: `${home}/exits`,
    tasks: `${home}/tasks`,
    /** First on every agent's PATH. */
    bin: `${home}/bin`,
    /** One marker for each task whose files exist before the store knows it. */
    drafts: `${home}/drafts`,
    run: (id: RunId) => `${home}/runs/${id}`,
    task: (id: TaskId) => `${home}/tasks/${id}`,
  }
  if (Buffer.byteLength(`${paths.socket}.new`) > LONGEST_SOCKET_PATH_BYTES)
    throw new HoldfastError(
      'HOME_PATH_TOO_LONG',
      `HOLDFAST_HOME is too long for a unix socket (${paths.socket.length} bytes of at most ${LONGEST_SOCKET_PATH_BYTES}): ${home}`,
    )
  return paths
}

/** HOLDFAST_HOME, else $XDG_STATE_HOME/holdfast, else ~/.local/state/holdfast. */
export function defaultHome(env: Readonly<Record<string, string | undefined>>): string {
  if (env.HOLDFAST_HOME) return env.HOLDFAST_HOME
  const state = env.XDG_STATE_HOME || `${env.HOME ?? ''}/.local/state`
  return `${state}/holdfast`
}
