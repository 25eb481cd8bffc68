// Owns a line that a person types: its text, and where the cursor is.
import type { Key } from './keys.ts'

/** `at`: how many of the characters, as people count them, are before the cursor. */
export type Edited = { readonly parts: readonly string[]; readonly at: number }

export const EMPTY_LINE: Edited = { parts: [], at: 0 }
export const textOf = ({ parts }: Edited) => parts.join('')
export const editedText = (text: string): Edited => inserted(EMPTY_LINE, text)

/** Undefined when the key changes nothing in a line. */
export function edit(line: Edited, key: Key): Edited | undefined {
  if (key.kind !== 'key') return inserted(line, key.text)
  const { parts, at } = line
  switch (key.name) {
    case 'left':
      return { parts, at: Math.max(0, at - 1) }
    case 'right':
      return { parts, at: Math.min(parts.length, at + 1) }
    case 'home':
      return { parts, at: 0 }
    case 'end':
      return { parts, at: parts.length }
    case 'backspace':
      return at === 0 ? line : cut(line, at - 1, at)
    case 'delete':
      return cut(line, at, at + 1)
    case 'ctrl_u':
      return cut(line, 0, at)
    case 'ctrl_w':
      return cut(line, wordBefore(line), at)
    default:
      return undefined
  }
}

/** Made with the first key: the board starts without it. */
let graphemes: Intl.Segmenter | undefined

/** What was typed is joined with what is before it: an accent comes as a key of its own. */
function inserted({ parts, at }: Edited, text: string): Edited {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const before = [...graphemes.segment(parts.slice(0, at).join('') + text)].map(({ segment }) => segment)
  return { parts: [...before, ...parts.slice(at)], at: before.length }
}

const cut = ({ parts }: Edited, from: number, to: number): Edited => ({
  parts: [...parts.slice(0, from), ...parts.slice(to)],
  at: from,
})

function wordBefore({ parts, at }: Edited): number {
  let from = at
  while (from > 0 && parts[from - 1] === ' ') from--
  while (from > 0 && parts[from - 1] !== ' ') from--
  return from
}
