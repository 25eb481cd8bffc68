// A shell's prompt on an agent's screen: whatever else stands there is a picture of an agent that is gone, or that was
// put aside (Ctrl-Z). What is typed now goes to the shell.
import type { ScreenReading, ScreenView } from '../../ports/screen.ts'
import { reading } from '../../ports/screen.ts'

/** In the first column, where agents write only marks of their own, and at its end what shells ask with. */
const PROMPT = /^(?![›❯┃│╹>•◦●■✻─!])\S?.*[$#%] ?$/u
/** As some themes have it: an arrow alone, or before the directory. The space is one that agents do not use there. */
const ARROW = /^(?:❯|➜ .*|.*\S ❯) ?$/u

/** Undefined when there is none. Of the lines as they stand: Claude Code's box begins like a prompt, but with a no-break space. */
export function shellPromptOn({ text, cursor }: ScreenView): ScreenReading | undefined {
  const lines = text.split('\n')
  const prompt = [atCursor(lines, cursor), lines.findLast((line) => line.trim() !== '')].find(isPrompt)
  if (prompt === undefined) return undefined
  return reading('unknown', `a shell runs in its terminal: ${prompt.trim().slice(0, 100)}`, {
    isElsewhere: true,
  })
}

const isPrompt = (text = ''): boolean => /^\S/.test(text) && (PROMPT.test(text) || ARROW.test(text))

/** What stands before it. Its column counts cells, and a prompt has few that are wide. */
const atCursor = (lines: readonly string[], cursor: ScreenView['cursor']) =>
  cursor && lines[cursor.y]?.slice(0, cursor.x)
