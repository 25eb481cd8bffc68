// Owns the keys for Claude Code: how a prompt is typed, and how a dialog is answered. A number takes that option at once;
// in a menu without numbers, keys move to the option.
import { drawnAs } from '../../domain/text/drawn-text.ts'
import type { Keys } from '../../ports/run/agent-driver.ts'
import { clearLines } from '../shared/clear-lines.ts'
import { type PromptStyle, promptsIn } from '../shared/prompts-on-screen.ts'

/** What the box shows instead of a pasted text that is long or has many lines. */
const CHIP = /^\[Pasted text #\d+(?: \+(\d+) lines)?\]$/
const PROMPT: PromptStyle = { mark: /^❯ /, ends: /^(\S| {2}⎿| {20})/ }

/** Options that take a text, or set a tick, instead of giving an answer. */
const NO_ANSWER = /^(\[.\] |Type something)/
/** The marked line of a menu without numbers is what made it a dialog. */
const MARKED = /^❯ (?!\d+\. )(.*)$/

export const claudeKeys: Keys = {
  drawn(draft, text) {
    const chip = CHIP.exec(draft.trim())
    if (chip === null) return drawnAs(draft, text)
    return Number(chip[1] ?? 0) === text.split('\n').length - 1 ? 'whole' : 'other'
  },
  prompts: (screen) => promptsIn(screen.split('\n'), PROMPT),
  clear: clearLines,
  choose({ phase, question, evidence }, { option }) {
    const options = question?.options ?? []
    const wanted = option === null ? undefined : options[option]
    if (phase !== 'asking' || option === null || wanted === undefined || NO_ANSWER.test(wanted)) return null
    const [, marked] = MARKED.exec(evidence) ?? []
    if (marked === undefined) return option < 9 ? [String(option + 1)] : null
    const at = options.indexOf(marked)
    if (at < 0 || at !== options.lastIndexOf(marked)) return null
    // After its last line, the menu goes on with the first one.
    return [...Array<string>((option - at + options.length) % options.length).fill('Down'), 'Enter']
  },
}
