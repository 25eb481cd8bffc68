// Owns one look at a pane: what it shows, and all that typing into it depends on.
import type { PaneView } from '../../ports/terminal.ts'
import { ifMarked, type Marked } from './if-marked.ts'
import { DEATH } from './pane-rows.ts'

const ACTIVITY = '#{session_activity}.#{session_attached}'
/** A key moves only the session of whoever pressed it. A window that several sessions show has the keys of all. */
export const KEYS_SEEN = `#{?#{==:#{window_linked_sessions},1},${ACTIVITY},#{S:${ACTIVITY} }}`

/** One line for everybody attached. The window is the one they look at. */
const CLIENT = '#{client_control_mode}#{client_readonly}:#{client_activity}:#{window_id}'
const LIST_CLIENTS = ['list-clients', '-F', `client:${CLIENT}`]

/** The title may hold anything, also `:` and newlines, so it comes last. */
const FORMAT = [
  DEATH,
  '#{pane_in_mode}',
  '#{@hf_pasted}',
  '#{@hf_entered}',
  '#{@hf_cleared}',
  '#{@hf_note}',
  KEYS_SEEN,
  '%s',
  '#{window_id}',
  '#{cursor_x}',
  '#{cursor_y}',
  '#{pane_height}',
  '#{pane_title}',
].join(':')

export const viewCommand = (marked: Marked) =>
  ifMarked(
    marked,
    LIST_CLIENTS,
    ['display-message', '-p', '-t', marked.pane, FORMAT],
    ['capture-pane', '-p', '-t', marked.pane],
  )

/** Undefined when the guard let nothing through. The screen is the last lines, as many as the pane is high. */
export function parseView(lines: readonly string[]): PaneView | undefined {
  const clients = lines.slice(
    0,
    Math.max(
      0,
      lines.findIndex((line) => !line.startsWith('client:')),
    ),
  )
  const [first, ...rest] = lines.slice(clients.length)
  if (first === undefined) return undefined
  const [
    death,
    modes,
    pasted = '',
    pressed = '',
    cleared = '',
    note = '',
    stir = '',
    now,
    window,
    x,
    y,
    height,
    ...title
  ] = first.split(':')
  const screenAt = rest.length - Number(height)
  return {
    text: rest.slice(screenAt).join('\n').trimEnd(),
    title: [title.join(':'), ...rest.slice(0, screenAt)].join('\n'),
    cursor: { x: Number(x), y: Number(y) },
    dead: death !== '0',
    inMode: modes !== '0',
    pasted,
    pressed,
    cleared,
    note,
    stir,
    keyAgeMs: keyAge(clients, window, Number(now)),
  }
}

/** Of one that can only look, or of a program, no key gets here. */
const CAN_TYPE = '00'
/** Times are whole seconds: of keys within the same one only the first shows. */
const BLURRED_S = 1

/** Who can only look is no hindrance, but for the moment in which their keys would hide another's. */
function keyAge(clients: readonly string[], window: string | undefined, now: number): number | null {
  const ages = clients.flatMap((line) => {
    const [, kind, activity, shows] = line.split(':')
    const age = Math.max(0, now - Number(activity))
    const counts = shows === window && (kind === CAN_TYPE || age <= BLURRED_S)
    return counts ? [age * 1000] : []
  })
  return ages.length === 0 ? null : Math.min(...ages)
}
