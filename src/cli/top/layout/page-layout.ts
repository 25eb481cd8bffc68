// Owns pages: long texts that take the screen, and can be scrolled.

import type { Page } from '../input/state.ts'
import { type Line, line, wrapped } from '../screen/lines.ts'
import { filled } from './detail-layout.ts'

/** `lines`: as they are; they are wrapped here. `status`: what the last line says beside the keys. */
export type PageText = { readonly title: string; readonly lines: readonly string[]; readonly status: string }

/** What a page needs of the screen: a title above, the keys below. */
export const PAGE_CHROME = 2

/** Wrapping thousands of lines takes time: it is done again only for another text (another array) or width. */
export function wrapCache(): (lines: readonly string[], width: number) => readonly string[] {
  let last: { lines: readonly string[]; width: number; wrapped: string[] } | undefined
  return (lines, width) => {
    if (last?.lines === lines && last.width === width) return last.wrapped
    last = {
      lines,
      width,
      wrapped: lines.flatMap((one) => (lines === HELP ? hung(one, width) : wrapped(one, width))),
    }
    return last.wrapped
  }
}

/** What a key does goes on below where it began. */
function hung(text: string, width: number): string[] {
  if (!text.startsWith('  ')) return wrapped(text, width)
  const key = text.slice(0, KEY_COLUMN)
  return wrapped(text.slice(KEY_COLUMN), Math.max(1, width - KEY_COLUMN)).map(
    (one, at) => `${at === 0 ? key : ' '.repeat(KEY_COLUMN)}${one}`,
  )
}
const KEY_COLUMN = 15

/** The first line that is shown. */
export const topOf = ({ top, isAtEnd }: Page, count: number, height: number) => {
  const highest = Math.max(0, count - height)
  return isAtEnd ? highest : Math.min(top, highest)
}

export function pageLines(
  page: Page,
  text: Omit<PageText, 'lines'> & { readonly wrapped: readonly string[] },
  height: number,
): Line[] {
  const room = height - PAGE_CHROME
  const top = topOf(page, text.wrapped.length, room)
  const end = Math.min(text.wrapped.length, top + room)
  const place = text.wrapped.length <= room ? '' : ` ${top + 1}–${end} of ${text.wrapped.length} `
  return [
    [
      { text: ` ${text.title} `, style: 'title' },
      { text: text.status, style: 'dim' },
    ],
    ...filled(
      text.wrapped.slice(top, end).map((one) => line(one)),
      room,
    ),
    [
      { text: place, style: 'dim' },
      { text: ' ↑↓ PgUp PgDn', style: 'bold' },
      { text: ' scroll ', style: 'dim' },
      { text: ' End', style: 'bold' },
      { text: page.kind === 'logs' ? ' follow ' : ' last lines ', style: 'dim' },
      { text: ' q', style: 'bold' },
      { text: ' back', style: 'dim' },
    ],
  ]
}

export const HELP: readonly string[] = [
  'Move',
  '  ↑ ↓          one session up or down',
  '  PgUp PgDn    one screen; Home and End: the first and the last',
  '  Tab          the next part: needs you, at work, waiting, done',
  '',
  'Do, with the selected session',
  '  Enter        attach to its terminal; detach there with Ctrl-B D, and the board is back',
  '  a            answer its question: the number of an option, or a text',
  '  s            send a prompt; the board says when the agent has it',
  '  l            what it wrote, as it grows',
  '  w            why it is in its state, what happened, what comes next',
  '  k            kill it (asks first)',
  '  r            start it again from its first prompt (asks first)',
  '',
  'The board',
  '  /            show only what has all these words: in id, name, title, agent, state, question',
  '  Ctrl-L       draw everything again',
  '  Ctrl-Z       put the board into the background (fg brings it back)',
  '  Esc          one step back; from the list it leaves',
  '  q, Ctrl-C    leave. No session is stopped by leaving.',
  '',
  'Signs: ? needs you   ● at work   ○ waits   ✓ completed   ✗ failed   - killed',
  'The time in a row is how long the session takes or took, by the clock of the daemon.',
  'A dimmed board is out of date: its first line tells when the daemon last said something.',
]
