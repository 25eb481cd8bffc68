// Owns typing one prompt into a TUI: pasted once, seen, then sent by Enter alone. Each call is one step;
// what was done stands in the pane itself, so that the steps go on after a crash of the daemon.
import type { ScreenReading } from '../ports/screen.ts'
import type { PaneView, Terminal } from '../ports/terminal.ts'

export type Target = { readonly name: string; readonly mark: string }
export type Looked = { readonly view: PaneView; readonly reading: ScreenReading }

/** `said`: Enter was pressed, now or before. `waiting`: look again. */
export async function typePrompt(
  prompt: { readonly tag: string; readonly text: string },
  { name, mark }: Target,
  { view, reading }: Looked,
  terminal: Pick<Terminal, 'paste' | 'press'>,
): Promise<'said' | 'waiting'> {
  const { tag, text } = prompt
  if (view.pressed === tag) return 'said'
  if (view.pasted === tag) {
    // Not drawn yet, or a dialog came between: Enter there would approve something.
    if (reading.draft === null || !takesKeys(view, reading))
      return reading.phase === 'working' ? 'said' : 'waiting'
    return (await terminal.press(name, mark, tag, ['Enter'])) === 'refused' ? 'waiting' : 'said'
  }
  if (reading.draft === null && takesKeys(view, reading)) await terminal.paste(name, mark, tag, text)
  return 'waiting'
}

/** Only the input box of an agent at rest; a person's draft is theirs, and their reading of the history too. */
const takesKeys = (view: PaneView, reading: ScreenReading) =>
  reading.phase === 'idle' && !view.dead && !view.inMode
