// Owns typing into a pane: at most once for each tag, and only where it arrives.
import type { AsSeen, Typed } from '../../ports/terminal.ts'
import { ifMarked, ifShell, type Marked } from './if-marked.ts'
import { DEATH } from './pane-rows.ts'
import { KEYS_SEEN } from './pane-view.ts'

/** Alive, not in its history, not closed to input. Pasting into a dead pane would crash the server. */
const TAKES_INPUT = `#{==:${DEATH}#{pane_in_mode}#{pane_input_off},000}`

/** Control characters could end the paste and become keys; a newline and a tab cannot. */
const CONTROL = /[^\P{Cc}\n\t]/u

/** What is not a key's name would be typed as text. */
const KEY = /^(?:Enter|Escape|Tab|BTab|Space|BSpace|Up|Down|Left|Right|Home|End|PPage|NPage|C-[a-z]|[!-~])$/

type Tagged = Marked & { readonly tag: string; readonly seen?: AsSeen }
type Remembered = '@hf_pasted' | '@hf_entered' | '@hf_cleared'

/** The file's name goes in as an option's value, which is not expanded as a format: any path will do. */
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
 * One breath inside the server: nothing can come between the look, the act and the tag that remembers it. The act first:
 * a text that could not be loaded does not stop tmux from coming here, and then nothing is to be remembered.
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

/** The server takes keys one after the other: none that came before this one goes unnoticed. */
const isAsSeen = ({ stir, cursor }: AsSeen) =>
  `#{==:${KEYS_SEEN}${cursor ? ' #{cursor_x} #{cursor_y}' : ''},${stir}${cursor ? ` ${cursor.x} ${cursor.y}` : ''}}`

const print = (word: Typed) => ['display-message', '-p', word]
