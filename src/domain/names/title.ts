// Owns what a task is about, in a few words: its title, or the first words of its prompt. Pure.
import { HoldfastError } from '../errors.ts'
import { printable } from './names.ts'

const LONGEST = 120

/** The first line of a prompt that says something, without the marks of Markdown in front of it. */
export function titleOf(prompt: string): string {
  const lines = prompt.slice(0, 4096).split('\n').map(words)
  const first = lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines.find((line) => line !== '') ?? ''
  return shortened(first)
}

/** A person's own words for it: one line. */
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

/** Never in the middle of a character. */
function shortened(line: string): string {
  const characters = [...line]
  if (characters.length <= LONGEST) return line
  return `${characters
    .slice(0, LONGEST - 1)
    .join('')
    .trimEnd()}…`
}
