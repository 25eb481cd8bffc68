// Owns the keys for Codex: how a prompt is typed, and how a dialog is answered. A number takes that option at once.
import { drawnAs, isEndOf } from '../../domain/text/drawn-text.ts'
import type { Keys } from '../../ports/run/agent-driver.ts'
import { clearLines } from '../shared/clear-lines.ts'
import { type PromptStyle, promptsIn } from '../shared/prompts-on-screen.ts'

/** What the box shows instead of a long pasted text. */
const CHIP = /^\[Pasted Content (\d+) chars\]$/
/** The end of the first row when more rows of the draft are above it. */
const MORE_ABOVE = / +↑$/m
/** The box begins with the same mark as a prompt that was said. */
const PROMPT: PromptStyle = { mark: /^› /, ends: /^(\S| {2}(Worked for |└))/ }

const AT_ONCE =
  /^(Would you like to |Do you want to |Question 1\/1 |Field 1\/1\b|Hooks need review|Trust this folder\?)/

export const codexKeys: Keys = {
  drawn(draft, text) {
    const chip = CHIP.exec(draft.trim())
    if (chip !== null) return Number(chip[1]) === Array.from(text).length ? 'whole' : 'other'
    const [first = '', ...rest] = draft.split('\n')
    if (!MORE_ABOVE.test(first)) return drawnAs(draft, text)
    return isEndOf([first.replace(MORE_ABOVE, ''), ...rest].join('\n'), text) ? 'whole' : 'other'
  },
  prompts(screen) {
    const lines = screen.split('\n')
    const box = lines.findLastIndex((line) => /^[›!]( |$)/.test(line))
    return promptsIn(lines.slice(0, Math.max(0, box)), PROMPT)
  },
  clear: clearLines,
  choose({ phase, question }, { option }) {
    const { text = '', options = [] } = question ?? {}
    if (phase !== 'asking' || option === null || option > 8 || options[option] === undefined) return null
    if (!AT_ONCE.test(text)) return null
    const key = String(option + 1)
    // In this dialog the number of the first option does not choose it at once. And only a person who sees the hooks may review them.
    if (option === 0 && text.startsWith('Trust this folder?')) return [key, 'Enter']
    return option === 0 && text.startsWith('Hooks need review') ? null : [key]
  },
}
