// Owns how a program is started in a pane: sent as one line, so that no pane ever exists without its mark and its size.
import { HoldfastError } from '../../domain/errors.ts'
import { BOOTSTRAP_WINDOW } from '../../domain/runtime/names.ts'
import type { OpenSpec } from '../../ports/run/terminal.ts'
import { checkPaneName } from './check-name.ts'
import { ifShell } from './if-marked.ts'
import { sessionName } from './session-name.ts'

/** tmux gives a single argument to a shell; put before it, this makes the shell run it without parsing it. */
const EXEC_ALONE = ['/bin/sh', '-c', 'exec "$0"']
export const SIZE = ['-x', '200', '-y', '50']

/** Printed instead of a pane's id when the window is there already. */
export const TAKEN = 'taken'
/** Printed when a session was closed. */
export const CLOSED = 'closed'

export function launchCommands(spec: OpenSpec): string[][] {
  if (spec.argv.length === 0) throw new HoldfastError('INVALID_REQUEST', 'There is no program to run.')
  // `-c` is expanded as a format, but the value of an option in it is not: so any path arrives unchanged.
  const setDirectory = ['set', '-s', '@hf_cwd', spec.cwd]
  return [setDirectory, ...(spec.place === undefined ? inOwnSession(spec) : inWindow(spec))]
}

const inOwnSession = (spec: OpenSpec): string[][] => {
  const name = sessionName(spec.task)
  return [
    ['new-session', '-d', ...START, '-s', name, ...SIZE, ...programOf(spec)],
    ...markAndSize(`=${name}:`, spec),
  ]
}

/** Two windows may have the same name in tmux, so the server itself looks whether it is taken. */
function inWindow(spec: OpenSpec): string[][] {
  const session = `=${sessionName(spec.task, spec.place)}:`
  const window = checkPaneName(spec.place?.window ?? '')
  return [
    ifShell(
      session,
      `#{W:#{?#{==:#{window_name},${window}},1,}}`,
      [['display-message', '-p', TAKEN]],
      [
        ['new-window', '-d', ...START, '-t', session, '-n', window, ...programOf(spec)],
        ...markAndSize(`${session}=${window}`, spec),
      ],
    ),
  ]
}

const START = ['-P', '-F', '#{pane_id}', '-c', '#{@hf_cwd}']

const programOf = ({ argv }: OpenSpec) => ['--', ...(argv.length === 1 ? [...EXEC_ALONE, ...argv] : argv)]

/** While a person is attached anywhere, a new window gets the size of their terminal. This sets ours for good (`manual`). */
const markAndSize = (target: string, { mark, size = 'fixed' }: OpenSpec): string[][] => [
  ['set', '-p', '-t', target, '@hf_run', checkPaneName(mark)],
  ...(size === 'fixed' ? [['resize-window', '-t', target, ...SIZE]] : []),
]

/** Ours alone: one window with one pane, which runs what we put there, and nobody looks. */
const IS_EMPTY = [
  '#{==:#{session_attached},0}',
  '#{==:#{session_windows},1}',
  '#{==:#{window_panes},1}',
  `#{==:#{window_name},${BOOTSTRAP_WINDOW}}`,
  '#{==:#{pane_start_command},env cat}',
].reduce((all, one) => `#{&&:${all},${one}}`)

export const LIST_SESSIONS = ['list-sessions', '-F', '#{session_name}']

/** The server itself looks, in the same command: a window that comes in between is not lost. */
export const closeIfEmpty = (session: string) => [
  ifShell(
    `=${session}:`,
    IS_EMPTY,
    [
      ['kill-session', '-t', `=${session}`],
      ['display-message', '-p', CLOSED],
    ],
    [['display-message', '-p', 'left']],
  ),
]

/** The window has a program of two arguments, so that tmux runs it without a shell. */
export const keepSession = (session: string) => [
  'new-session',
  '-d',
  '-s',
  checkPaneName(session),
  '-n',
  BOOTSTRAP_WINDOW,
  ...SIZE,
  '--',
  'env',
  'cat',
]
