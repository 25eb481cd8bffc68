// Owns the last line: what a person types, what was done, or which keys there are.
import { cells, shorten } from '../../render/print/cells.ts'
import { type Edited, textOf } from '../input/edit-line.ts'
import type { Note, Prompt } from '../input/state.ts'
import {
  drawable,
  type Line,
  line,
  lineCells,
  linesOf,
  type Span,
  type Style,
  wrapped,
} from '../screen/lines.ts'

/** Its last line is the last of the screen. */
export type Footer = { readonly lines: readonly Line[]; readonly cursorColumn: number | null }
/** A note may be a sentence with a way out. */
const MOST_NOTE_LINES = 3

export function footer(prompt: Prompt | null, note: Note | null, filter: string, width: number): Footer {
  const notes = note === null ? [] : noteLines(note, width)
  if (prompt !== null) {
    // What went wrong with a line that was sent is told above it.
    const { lines, cursorColumn } = promptFooter(prompt, width)
    return { lines: [...notes, ...lines], cursorColumn }
  }
  if (note !== null) return { lines: notes, cursorColumn: null }
  return { lines: [keysLine(filter, width)], cursorColumn: null }
}

const TONES: Readonly<Record<Note['tone'], Style | undefined>> = {
  good: 'green',
  bad: 'red',
  plain: undefined,
}

function noteLines({ text, tone }: Note, width: number): Line[] {
  const all = wrapped(linesOf(text).join(' '), width - 2)
  const rest = all.slice(MOST_NOTE_LINES - 1).join(' ')
  const shown = all.length > MOST_NOTE_LINES ? [...all.slice(0, MOST_NOTE_LINES - 1), rest] : all
  return shown.map((one) => [{ text: ` ${one}`, style: TONES[tone] }])
}

function promptFooter(prompt: Prompt, width: number): Footer {
  switch (prompt.kind) {
    case 'filter':
      return typed(['Filter: '], prompt.line, width)
    case 'answer':
      return typed(
        [
          `Answer (${prompt.question.takes_text ? 'number or text' : 'a number'}), Enter sends, Esc leaves it open: `,
          'Answer: ',
        ],
        prompt.line,
        width,
      )
    case 'send':
      return typed(
        [`Send to ${prompt.id}, Enter gives it to the agent: `, `Send to ${prompt.id}: `, 'Send: '],
        prompt.line,
        width,
      )
    case 'kill':
      return question(`Kill ${prompt.id}?`, width)
    case 'retry':
      return question(`Start ${prompt.id} again from its first prompt?`, width)
    case 'nested_attach':
      return question(`You are in tmux: detach there with Ctrl-B Ctrl-B D. Attach to ${prompt.id}?`, width)
  }
}

/** In as many lines as it takes: without its end nobody knows which key answers it. */
const question = (text: string, width: number): Footer => ({
  lines: wrapped(`${text} [y/N]`, width - 2).map((one) => line(` ${one}`, 'bold')),
  cursorColumn: null,
})

/** What the line must have for what is typed. */
const LEAST_ROOM = 20

/**
 * It begins with the first of `heads` that leaves room. The part around the cursor is shown when the line is longer than
 * the screen. A line end is shown as `⏎`.
 */
function typed(heads: readonly string[], edited: Edited, width: number): Footer {
  const head = heads.find((one) => width - cells(one) >= LEAST_ROOM) ?? heads.at(-1) ?? ''
  const shown = (text: string) => drawable(text.replace(/\r\n|[\r\n]/g, '⏎'))
  const room = width - cells(head) - 2
  let before = shown(edited.parts.slice(0, edited.at).join(''))
  while (cells(before) > room) before = [...before].slice(Math.ceil(room / 2)).join('')
  const after = shown(textOf({ ...edited, parts: edited.parts.slice(edited.at) }))
  const start = ` ${head}${before}`
  return {
    lines: [
      [
        { text: ` ${head}`, style: 'bold' },
        { text: before + shorten(after, Math.max(0, width - cells(start) - 1)) },
      ],
    ],
    cursorColumn: Math.min(width - 1, cells(start)),
  }
}

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ['Enter', 'attach'],
  ['a', 'answer'],
  ['l', 'logs'],
  ['w', 'why'],
  ['k', 'kill'],
  ['r', 'retry'],
  ['s', 'send'],
  ['/', 'filter'],
  ['?', 'help'],
  ['q', 'quit'],
]

/** With wide gaps, else with narrow ones, else as many keys as fit: help and quit are the last to go. */
function keysLine(filter: string, width: number): Line {
  const filtering: Span[] =
    filter === '' ? [] : [{ text: ` filter: ${filter} (Esc clears) `, style: 'yellow' as const }]
  const room = width - lineCells(filtering)
  const wide = keySpans(KEYS, '  ')
  if (lineCells(wide) <= room) return [...filtering, ...wide]
  let keys = KEYS
  while (keys.length > 2 && lineCells(keySpans(keys, ' ')) > room)
    keys = [...keys.slice(0, -3), ...keys.slice(-2)]
  return [...filtering, ...keySpans(keys, ' ')]
}

const keySpans = (keys: typeof KEYS, gap: string): Line => [
  { text: ' ' },
  ...keys.flatMap(([key, does], at): Span[] => [
    { text: at === 0 ? key : gap + key, style: 'bold' },
    { text: ` ${does}`, style: 'dim' },
  ]),
]
