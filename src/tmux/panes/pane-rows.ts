// Owns listing panes: one line for each, fields separated by `:`, which occurs neither in session names nor in marks.
import { asPaneId } from '../../domain/names/ids.ts'
import type { Pane } from '../../ports/run/terminal.ts'
import { PANE_OUTLINE } from '../program/outline.ts'
import { KEYS_SEEN } from './keys-seen.ts'
import { VIEW } from './session-name.ts'

/** `unreaped`: a dead pane without a status; tmux lost its SIGCHLD. */
export type PaneRow = Pane & { readonly unreaped: boolean }

const FIELDS = [
  'pane_id',
  'pane_pid',
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  'window_activity',
  'session_attached',
  '@hf_run',
  'session_name',
]
const OUTLINE = `${PANE_OUTLINE}.${KEYS_SEEN}`
/** The name of a window may hold a `:`, so it comes last. */
const FORMAT = [
  ...FIELDS.map((field) => `#{${field}}`),
  OUTLINE,
  '#{pane_index}',
  '#{window_panes}',
  '#{window_name}',
].join(':')

/** `0` while the pane lives. When a reader of its output is stuck, `pane_dead` is not set, but the status is. */
export const HOW_PANE_DIED = '#{pane_dead}#{pane_dead_status}#{pane_dead_signal}'

/** tmux lists a pane once for each session that shows it: those of viewers do not count. */
const where = (condition: string) => `#{&&:${condition},#{?#{m:${VIEW}*,#{session_name}},0,1}}`

/** Every pane that carries a mark. */
export const LIST_MARKED_PANES = ['list-panes', '-a', '-f', where('#{@hf_run}'), '-F', FORMAT]

/** The pane that carries this mark, wherever it is. */
export const listPanesMarked = (mark: string) => [
  'list-panes',
  '-a',
  '-f',
  where(`#{==:#{@hf_run},${mark}}`),
  '-F',
  FORMAT,
]

/** Every pane of one window, ours or not. */
export const listPanesIn = (session: string, window: string) => [
  'list-panes',
  '-s',
  '-f',
  `#{==:#{window_name},${window}}`,
  '-t',
  `=${session}:`,
  '-F',
  FORMAT,
]

/** Every pane of one session, ours or not. Without the `:` tmux would also accept the beginning of a name. */
export const listPanesOf = (name: string) => ['list-panes', '-s', '-t', `=${name}:`, '-F', FORMAT]

export function parseRow(line: string): PaneRow {
  const [
    pane = '',
    pid,
    dead,
    status,
    signal,
    activeAt,
    attached,
    mark = '',
    session = '',
    outline = '',
    index,
    panesInWindow,
    ...window
  ] = line.split(':')
  const hasStatus = Boolean(status || signal)
  return {
    pane: asPaneId(pane),
    session,
    mark,
    dead: dead === '1' || hasStatus,
    pid: Number(pid),
    activeAt: Number(activeAt),
    attached: Number(attached) > 0,
    outline,
    window: window.join(':'),
    index: Number(index),
    panesInWindow: Number(panesInWindow),
    unreaped: dead === '1' && !hasStatus,
  }
}
