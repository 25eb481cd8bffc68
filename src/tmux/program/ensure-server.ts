// Owns starting our tmux server, and its options.
import { HoldfastError } from '../../domain/errors.ts'
import { runInOwnScope, scopeWorks } from './own-scope.ts'
import { runTmux, type TmuxAddress } from './spawn.ts'

/** A session that only keeps the server usable: without any session, a control client has nothing to attach to. */
export const KEEPER = 'holdfast-keeper'

/** Who is attached with a smaller terminal is told that there is more, and how to see it. */
const IN_PART = '#{?window_bigger,part of #{window_width}x#{window_height}: Ctrl-B Shift-arrow,}'

/**
 * `window-size manual` is missing on purpose: set globally it crashes tmux at the next new-session.
 * `-q` skips options that tmux 3.2 does not know.
 */
const OPTIONS = [
  ['set', '-s', 'exit-empty', 'off'],
  ['set', '-g', 'remain-on-exit', 'on'],
  ['set', '-gq', 'remain-on-exit-format', ''],
  ['set', '-g', 'history-limit', '2000'],
  ['set', '-g', 'automatic-rename', 'off'],
  ['set', '-g', 'status-left', '#{session_name} '],
  ['set', '-g', 'status-left-length', '100'],
  ['set', '-g', 'status-right', IN_PART],
]

/** The program has two arguments, so that tmux runs it without a shell. */
const KEEPER_COMMAND = [
  'new-session',
  '-d',
  '-P',
  '-F',
  '#{session_id} #{pid}',
  '-s',
  KEEPER,
  '--',
  'env',
  'cat',
]

/**
 * Starts the server, or with `mayStart` false only makes sure that a living one has its keeper.
 * Returns the pid of a server that is new: its first session is `$0`.
 */
export async function ensureServer(address: TmuxAddress, mayStart: boolean): Promise<number | undefined> {
  const args = ['start-server', ...[...OPTIONS, KEEPER_COMMAND].flatMap((command) => [';', ...command])]
  const { code, stdout, stderr } = await (mayStart
    ? startServer(address, args)
    : runTmux(address, ['-N', ...args]))
  if (code === 0) {
    const [session, pid] = stdout.split(' ')
    return session === '$0' ? Number(pid) : undefined
  }
  if (stderr.includes(`duplicate session: ${KEEPER}`)) return undefined
  throw new HoldfastError('TMUX_UNAVAILABLE', `tmux did not start: ${stderr.trim()}`)
}

const startServer = async (address: TmuxAddress, args: readonly string[]) =>
  (await scopeWorks(address)) ? runInOwnScope(address, args) : runTmux(address, args)
