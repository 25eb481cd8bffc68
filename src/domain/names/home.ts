// Owns the paths of all files below HOLDFAST_HOME.
import { HoldfastError } from '../errors.ts'
import type { RunId, TaskId } from './ids.ts'

/** The longest path that Linux allows for a unix socket. */
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
    /** What the daemon cannot write to its log: its last error, and what Node prints when it crashes. */
    daemonStderr: `${home}/daemon.stderr`,
    /** The runs that the daemon is handling right now; see HandlingFile. */
    handling: `${home}/handling`,
    tmuxSocket: `${home}/tmux.sock`,
    nodeId: `${home}/node-id`,
    /** What the tokens of runs are signed with. */
    tokenKeys: `${home}/token-keys.json`,
    /** What the answer buttons of notices are signed with. */
    noticeKey: `${home}/notice-key`,
    /** On which port the page was opened, so that it is opened again. */
    webDoor: `${home}/web-door.json`,
    /** Who may ask over TCP: hashes of cookies and tokens. */
    webKeys: `${home}/web-keys.json`,
    orchestratorLog: `${home}/logs/orchestrator.log`,
    runs: `${home}/runs`,
    exits: `${home}/exits`,
    tasks: `${home}/tasks`,
    /** The first directory on the PATH of every agent. */
    bin: `${home}/bin`,
    /** One marker file for each draft: a task that has files but is not in the store yet. */
    drafts: `${home}/drafts`,
    run: (id: RunId) => `${home}/runs/${id}`,
    task: (id: TaskId) => `${home}/tasks/${id}`,
  }
  const bytes = Buffer.byteLength(home)
  // A new socket is made beside the old one, with a longer name.
  const most = LONGEST_SOCKET_PATH_BYTES - Buffer.byteLength(`${paths.socket}.new`) + bytes
  if (bytes > most)
    throw new HoldfastError(
      'HOME_PATH_TOO_LONG',
      `HOLDFAST_HOME is too long for a unix socket (${bytes} bytes of at most ${most}): ${home}`,
    )
  return paths
}

/** HOLDFAST_HOME, else $XDG_STATE_HOME/holdfast, else ~/.local/state/holdfast. */
export function defaultHome(env: Readonly<Record<string, string | undefined>>): string {
  if (env.HOLDFAST_HOME) return env.HOLDFAST_HOME
  const state = env.XDG_STATE_HOME || `${env.HOME ?? ''}/.local/state`
  return `${state}/holdfast`
}
