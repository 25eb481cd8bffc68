// Owns one look at a pane: what it shows, and all that typing into it depends on.
import type { PaneView } from '../ports/terminal.ts'
import { ifMarked, type Marked } from './if-marked.ts'
import { DEATH } from './pane-rows.ts'

/** The title may hold anything, also `:` and newlines, so it comes last. */
const FORMAT = [
  DEATH,
  '#{pane_in_mode}',
  '#{@hf_pasted}',
  '#{@hf_entered}',
  '#{cursor_x}',
  '#{cursor_y}',
  '#{pane_height}',
  '#{pane_title}',
].join(':')

export const lookAt = (marked: Marked) =>
  ifMarked(
    marked,
    ['display-message', '-p', '-t', marked.pane, FORMAT],
    ['capture-pane', '-p', '-t', marked.pane],
  )

/** Undefined when the guard let nothing through. The screen is the last lines, as many as the pane is high. */
export function parseView([first, ...rest]: readonly string[]): PaneView | undefined {
  if (first === undefined) return undefined
  const [death, modes, pasted = '', pressed = '', x, y, height, ...title] = first.split(':')
  const screenAt = rest.length - Number(height)
  return {
    text: rest.slice(screenAt).join('\n').trimEnd(),
    title: [title.join(':'), ...rest.slice(0, screenAt)].join('\n'),
    cursor: { x: Number(x), y: Number(y) },
    dead: death !== '0',
    inMode: modes !== '0',
    pasted,
    pressed,
  }
}
