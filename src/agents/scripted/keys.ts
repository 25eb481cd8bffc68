import { drawnAs, isEndOf } from '../../domain/text/drawn-text.ts'
import type { Keys } from '../../ports/run/agent-driver.ts'
import { type PromptStyle, promptsIn } from '../shared/prompts-on-screen.ts'

/** How many rows of a long text the box shows: half a screen, with the end of the text. */
const ROWS_SHOWN = 12
/** What the box may show instead of a long paste. */
const CHIP = /^\[Pasted text #\d+(?: \+(\d+) lines)?\]$/
const RULE = /^─{8,}$/
const PROMPT: PromptStyle = { mark: /^> /, ends: /^([●·?!✓✗] | {2}([✓✗] |answered: |\d+ tokens ))/ }

/** A digit chooses one of the first nine options; for a higher one, keys move on from the ninth. */
const LAST_DIGIT = 9

/** A dialog takes one of its options; a question without options takes a text in the box. */
export const scriptedKeys: Keys = {
  drawn(draft, text) {
    const chip = CHIP.exec(draft.trim())
    if (chip !== null) return Number(chip[1] ?? 0) === text.split('\n').length - 1 ? 'whole' : 'other'
    const isLong = draft.split('\n').length >= ROWS_SHOWN
    return isLong && isEndOf(draft, text) ? 'whole' : drawnAs(draft, text)
  },
  prompts(screen) {
    const lines = screen.split('\n')
    const bottom = lines.findLastIndex((line) => RULE.test(line))
    const top = lines.slice(0, Math.max(0, bottom)).findLastIndex((line) => RULE.test(line))
    const status = lines.slice(0, Math.max(0, top)).findLastIndex((line) => !line.startsWith('queued: '))
    return promptsIn(lines.slice(0, Math.max(0, status)), PROMPT)
  },
  clear: () => ['C-u'],
  choose({ question, draft }, { option, text }) {
    if (question === null) return null
    if (option !== null)
      return question.options[option] === undefined ? null : [...keysTo(option + 1), 'Enter']
    const mayType = question.options.length === 0 && draft === null && TYPED.test(text)
    return mayType ? [...Array.from(text, keyOf), 'Enter'] : null
  },
}

const keysTo = (number: number) => [
  String(Math.min(number, LAST_DIGIT)),
  ...Array<string>(Math.max(0, number - LAST_DIGIT)).fill('Down'),
]

/** Has a visible character, and no control character except newline. */
const TYPED = /^(?=.*\S)[^\x00-\x09\x0b-\x1f\x7f-\x9f]+$/su

/** A text is typed letter by letter, because a whole word may be the name of a key. */
const keyOf = (letter: string) => (letter === '\n' ? 'C-j' : letter === ' ' ? 'Space' : letter)
