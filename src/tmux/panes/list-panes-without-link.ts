// Owns listing the panes without the control connection, by a tmux process of its own.
import { HoldfastError } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { runTmux, type TmuxAddress } from '../program/spawn.ts'
import { LIST_MARKED_PANES, type PaneRow, parseRow } from './pane-rows.ts'

const NO_SERVER = /^no server running|^error connecting to .*\((No such file|Connection refused)/

/** Undefined when no server listens on the socket. */
export async function listPanesWithoutLink(
  address: TmuxAddress,
  limit: { clock: Clock; timeoutMs: number },
): Promise<PaneRow[] | undefined> {
  const { code, stdout, stderr } = await runTmux(address, ['-N', ...LIST_MARKED_PANES], limit)
  if (code === 0) return stdout.split('\n').filter(Boolean).map(parseRow)
  if (NO_SERVER.test(stderr)) return undefined
  throw new HoldfastError('TMUX_UNAVAILABLE', `tmux does not list its panes: ${stderr.trim() || 'no answer'}`)
}
