// Owns the tmux commands by which somebody looks at a pane.
import type { ViewerSize } from '../../ports/run/terminal-viewers.ts'
import { ifMarked, type Marked } from '../panes/if-marked.ts'
import { isOwnSession, VIEW } from '../panes/session-name.ts'

/** Where a pane is, and how large its window is. */
export type WindowSeen = {
  readonly window: string
  readonly session: string
  readonly width: number
  readonly height: number
  /** Lines of tmux itself below the window. */
  readonly statusLines: number
}

const FORMAT = '#{window_id}:#{window_width}:#{window_height}:#{status}:#{session_name}'

export const windowCommand = (marked: Marked) =>
  ifMarked(marked, ['display-message', '-p', '-t', marked.pane, FORMAT])

export function parseWindow([line]: readonly string[]): WindowSeen | undefined {
  if (line === undefined) return undefined
  const [window = '', width, height, status = 'off', session = ''] = line.split(':')
  return {
    window,
    session,
    width: Number(width),
    height: Number(height),
    statusLines: status === 'off' ? 0 : Number(status) || 1,
  }
}

/**
 * A terminal of exactly this size changes no window. tmux gives a window the size of its only client, also when that
 * client asked to be ignored (`ignore-size`), unless the window's size is fixed.
 */
export const sizeFor = ({ width, height, statusLines }: WindowSeen): ViewerSize => ({
  columns: width,
  rows: height + statusLines,
  statusLines,
})

/**
 * In its task's own session, the viewer is one more client. A session that several panes share has one current window for
 * all its clients, so the viewer gets a session of its own with that window alone: it ends with the window, and with the
 * viewer.
 */
export function viewArgs({ window, session }: WindowSeen, name: string, typing: boolean): string[] {
  const flags = ['-f', typing ? 'ignore-size' : 'read-only,ignore-size']
  if (isOwnSession(session)) return ['attach-session', ...flags, '-t', `=${session}`]
  const own = `${VIEW}${name}`
  return [
    ...['new-session', ...flags, '-s', own, '--', 'env', 'cat', ';'],
    ...['set', '-t', `=${own}:`, 'destroy-unattached', 'on', ';'],
    ...['link-window', '-k', '-s', window, '-t', `=${own}:0`],
  ]
}
