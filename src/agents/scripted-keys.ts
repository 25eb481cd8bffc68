import type { Keys } from '../ports/agent-driver.ts'

/** One digit is one key: higher options are reached from the ninth. */
const LAST_DIGIT = 9

/** A dialog takes one of its options; a question without any takes a text in the box. */
export const scriptedKeys: Keys = {
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

/** Something to be seen, and nothing that is a command to a terminal. */
const TYPED = /^(?=.*\S)[^\x00-\x09\x0b-\x1f\x7f-\x9f]+$/su

/** Letter by letter, because a whole word may be the name of a key. */
const keyOf = (letter: string) => (letter === '\n' ? 'C-j' : letter === ' ' ? 'Space' : letter)
