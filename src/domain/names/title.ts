// Owns a task's title: the words of a person, or the first words of the prompt. Pure.
import { HoldfastError } from '../errors.ts'
import { printable } from './names.ts'

const LONGEST = 120

/** The prompt's first line that has a letter or a digit, without the Markdown marks at its beginning. */
export function titleOf(prompt: string): string {
  const lines = prompt.slice(0, 4096).split('\n').map(words)
  const first = lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines.find((line) => line !== '') ?? ''
  return shortened(first)
}

/** A title that a person wrote, as one line. */
export function checkTitle(title: string): string {
  const line = words(title)
  if (line === '') throw new HoldfastError('USAGE', `'${printable(title)}' is not a title: it has no words.`)
  return shortened(line)
}

const words = (line: string) =>
  line
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
    .replace(/^[\s#>*-]+/, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Counts code points, so that no character is cut in two. */
function shortened(line: string): string {
  const characters = [...line]
  if (characters.length <= LONGEST) return line
  return `${characters
    .slice(0, LONGEST - 1)
    .join('')
    .trimEnd()}…`
}
