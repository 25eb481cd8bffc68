// Owns reading a pane: its screen, and everything that typing into it depends on.
import type { PaneView, Typist } from '../../ports/run/terminal.ts'
import { ifMarked, type Marked } from './if-marked.ts'
import { KEYS_SEEN } from './keys-seen.ts'
import { HOW_PANE_DIED } from './pane-rows.ts'

/** One line for each attached client. The window is the one that it shows. */
const CLIENT =
  '#{client_control_mode}#{client_readonly}:#{client_activity}:#{window_id}:#{client_created}:#{client_user}:#{client_tty}'
const LIST_CLIENTS = ['list-clients', '-F', `client:${CLIENT}`]

/** The title may hold anything, also `:` and newlines, so it comes last. */
const FORMAT = [
  HOW_PANE_DIED,
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

/** Undefined when no pane carried the mark. The screen is the last lines, as many as the pane is high. */
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
    typists: typistsOf(clients, window, Number(now)),
  }
}

/** A client that is neither read-only nor in control mode (a program): its keys reach the pane. */
const CAN_TYPE = '00'
/** tmux gives times in whole seconds: of several keys within a second, only the first changes them. */
const BLURRED_S = 1

/**
 * Milliseconds since the last key of somebody whose keys reach the pane. While there is somebody, read-only clients count
 * too, for a second: theirs could hide the keys of others. Those who can only look never count alone.
 */
function keyAge(clients: readonly string[], window: string | undefined, now: number): number | null {
  const here = clients.flatMap((line) => {
    const [, kind, activity, shows] = line.split(':')
    return shows === window ? [{ types: kind === CAN_TYPE, age: Math.max(0, now - Number(activity)) }] : []
  })
  if (!here.some(({ types }) => types)) return null
  const ages = here.flatMap(({ types, age }) => (types || age <= BLURRED_S ? [age * 1000] : []))
  return Math.min(...ages)
}

/** tmux before 3.3 does not know the user of a client. */
const typistsOf = (clients: readonly string[], window: string | undefined, now: number): Typist[] =>
  clients.flatMap((line) => {
    const [, kind, activity, shows, created, user, ...tty] = line.split(':')
    if (shows !== window || kind !== CAN_TYPE) return []
    const keyAgeMs = Math.max(0, now - Number(activity)) * 1000
    return [{ tty: tty.join(':'), user: user || null, attachedAt: Number(created) * 1000, keyAgeMs }]
  })
