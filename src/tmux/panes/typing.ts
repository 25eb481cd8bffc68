// Owns typing into a pane: at most once for each tag, and only when the input reaches the program.
import type { AsSeen, Typed } from '../../ports/run/terminal.ts'
import { ifMarked, ifShell, type Marked } from './if-marked.ts'
import { KEYS_SEEN } from './keys-seen.ts'
import { HOW_PANE_DIED } from './pane-rows.ts'

/** The pane is alive, in no mode (such as its history), and not closed to input. Pasting into a dead pane crashes tmux. */
const TAKES_INPUT = `#{==:${HOW_PANE_DIED}#{pane_in_mode}#{pane_input_off},000}`

/** Control characters could end the paste and become keys; a newline and a tab cannot. */
const CONTROL = /[^\P{Cc}\n\t]/u

/** The names of keys that we use: tmux types any other word as text. */
const KEY = /^(?:Enter|Escape|Tab|BTab|Space|BSpace|Up|Down|Left|Right|Home|End|PPage|NPage|C-[a-z]|[!-~])$/

type Tagged = Marked & { readonly tag: string; readonly seen?: AsSeen }
type Remembered = '@hf_pasted' | '@hf_entered' | '@hf_cleared' | '@hf_person'

/** The file's path is passed as the value of an option, which is not expanded as a format: so any path works. */
export function pasteOnce(tagged: Tagged & { readonly note?: string }, file: string): string[][] {
  const { pane, tag, note = '' } = tagged
  const buffer = ['-b', `hf-${tag}`]
  return [
    ['set', '-s', '@hf_text', file],
    ['load-buffer', ...buffer, '#{@hf_text}'],
    typeOnce(
      tagged,
      '@hf_pasted',
      ['paste-buffer', '-p', '-r', ...buffer, '-t', pane],
      ['set', '-p', '-t', pane, '@hf_note', note],
    ),
    ['delete-buffer', ...buffer],
  ]
}

export const pressOnce = (tagged: Tagged, keys: readonly string[]): string[][] => [
  typeOnce(tagged, '@hf_entered', sendKeys(tagged, keys)),
]

export const pressForPersonOnce = (tagged: Tagged, keys: readonly string[]): string[][] => [
  typeOnce(tagged, '@hf_person', sendKeys(tagged, keys)),
]

export const clearOnce = (tagged: Tagged, keys: readonly string[]): string[][] => [
  typeOnce(tagged, '@hf_cleared', sendKeys(tagged, keys)),
]

const sendKeys = ({ pane }: Tagged, keys: readonly string[]) => ['send-keys', '-t', pane, '--', ...keys]

export function checkText(text: string): string {
  if (text !== '' && !CONTROL.test(text)) return text
  throw new Error('A text to paste is not empty and has no control characters but newline and tab.')
}

export function checkKeys(keys: readonly string[]): readonly string[] {
  if (keys.length > 0 && keys.every((key) => KEY.test(key))) return keys
  throw new Error(`These are not keys: ${JSON.stringify(keys)}`)
}

/**
 * One command for the server: nothing can come between the check, the typing and the tag that remembers it. The tag is set
 * after the typing: when the text could not be loaded, tmux comes here all the same, and then no tag must be set.
 */
const typeOnce = ({ pane, mark, tag, seen }: Tagged, remembered: Remembered, ...acts: string[][]) =>
  ifMarked(
    { pane, mark },
    ifShell(
      pane,
      `#{==:#{${remembered}},${tag}}`,
      [print('already')],
      [
        ifShell(
          pane,
          seen === undefined ? TAKES_INPUT : `#{&&:${TAKES_INPUT},${isAsSeen(seen)}}`,
          [...acts, ['set', '-p', '-t', pane, remembered, tag], print('done')],
          [print('refused')],
        ),
      ],
    ),
  )

/** The server handles keys one after the other, so every key before this command is noticed. */
const isAsSeen = ({ stir, cursor }: AsSeen) =>
  `#{==:${KEYS_SEEN}${cursor ? ' #{cursor_x} #{cursor_y}' : ''},${stir}${cursor ? ` ${cursor.x} ${cursor.y}` : ''}}`

const print = (word: Typed) => ['display-message', '-p', word]
