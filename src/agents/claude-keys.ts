// How a dialog of Claude Code is answered: a number takes that option at once; a menu without numbers is walked.
import type { Keys } from '../ports/agent-driver.ts'

/** These take a text, or only a tick, instead of the answer. */
const NO_ANSWER = /^(\[.\] |Type something)/
/** The marked line of a menu without numbers is what made it a dialog. */
const MARKED = /^❯ (?!\d+\. )(.*)$/

export const claudeKeys: Keys = {
  choose({ phase, question, evidence }, { option }) {
    const options = question?.options ?? []
    const wanted = option === null ? undefined : options[option]
    if (phase !== 'asking' || option === null || wanted === undefined || NO_ANSWER.test(wanted)) return null
    const [, marked] = MARKED.exec(evidence) ?? []
    if (marked === undefined) return option < 9 ? [String(option + 1)] : null
    const at = options.indexOf(marked)
    if (at < 0 || at !== options.lastIndexOf(marked)) return null
    // Past its last line, the menu goes on with the first.
    return [...Array<string>((option - at + options.length) % options.length).fill('Down'), 'Enter']
  },
}
