// Owns finding a shell's prompt on an agent's screen. The rest of such a screen is the last picture of an agent that is gone or
// suspended (Ctrl-Z): what is typed now goes to the shell.
import { reading, type ScreenReading, type ScreenView } from '../../ports/run/screen.ts'

/** Begins in the first column, but not with a mark that agents write there, and ends with `$`, `#` or `%`. */
const PROMPT = /^(?![›❯┃│╹>•◦●■✻─!])\S?.*[$#%] ?$/u
/** Prompts of some themes: an arrow alone, before the directory, or after it. Agents do not use this kind of space there. */
const ARROW = /^(?:❯|➜ .*|.*\S ❯) ?$/u

/** Undefined when there is no shell prompt. Lines are not trimmed: Claude Code's box begins like a prompt, but with a no-break space. */
export function shellPromptOn({ text, cursor }: ScreenView): ScreenReading | undefined {
  const lines = text.split('\n')
  const prompt = [atCursor(lines, cursor), lines.findLast((line) => line.trim() !== '')].find(isPrompt)
  if (prompt === undefined) return undefined
  return reading('unknown', `a shell runs in its terminal: ${prompt.trim().slice(0, 100)}`, {
    isElsewhere: true,
  })
}

const isPrompt = (text = ''): boolean => /^\S/.test(text) && (PROMPT.test(text) || ARROW.test(text))

/** The text before the cursor. Its column counts cells, but a prompt has hardly any wide characters. */
const atCursor = (lines: readonly string[], cursor: ScreenView['cursor']) =>
  cursor && lines[cursor.y]?.slice(0, cursor.x)
