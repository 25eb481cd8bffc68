// How a dialog of Codex is answered: a number takes that option at once.
import type { Keys } from '../ports/agent-driver.ts'

const AT_ONCE =
  /^(Would you like to |Do you want to |Question 1\/1 |Field 1\/1\b|Hooks need review|Trust this folder\?)/

export const codexKeys: Keys = {
  choose({ phase, question }, { option }) {
    const { text = '', options = [] } = question ?? {}
    if (phase !== 'asking' || option === null || option > 8 || options[option] === undefined) return null
    if (!AT_ONCE.test(text)) return null
    const key = String(option + 1)
    // Its number alone does not choose the first option here; and reviewing hooks is for who sees them.
    if (option === 0 && text.startsWith('Trust this folder?')) return [key, 'Enter']
    return option === 0 && text.startsWith('Hooks need review') ? null : [key]
  },
}
