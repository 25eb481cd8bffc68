// Owns what a line of the board is made of, and how text that others wrote becomes safe to draw.
import { stripVTControlCharacters } from 'node:util'
import { cells, shorten } from '../../render/print/cells.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'title' | 'needs_you' | 'selected'
export type Span = { readonly text: string; readonly style?: Style | undefined }
export type Line = readonly Span[]

export const EMPTY: Line = []
export const line = (text: string, style?: Style): Line => [{ text, style }]

/** Exactly `width` cells: cut with `…`, or filled with blanks. */
export function fitted(text: string, width: number): string {
  const safe = drawable(text)
  const short = cells(safe) <= width ? safe : shorten(safe, width)
  return short + ' '.repeat(Math.max(0, width - cells(short)))
}

export const lineCells = (all: Line) => all.reduce((sum, { text }) => sum + cells(drawable(text)), 0)

const PLAIN = /^[\x20-\x7e]*$/
/**
 * What a terminal would not draw but obey, or draw at a place of its own choice: controls, line and paragraph ends,
 * direction marks and joiners, halves of characters, and the signs by which terminals disagree about widths.
 */
const UNDRAWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[\ufe00-\ufe0f]/gu

export const drawable = (text: string): string => (PLAIN.test(text) ? text : text.replace(UNDRAWABLE, ''))

const TAB_CELLS = 8

/** Lines of a text as it is: its line ends count, its colours and other sequences are left out. */
export const linesOf = (text: string): string[] =>
  stripVTControlCharacters(text)
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((one) => drawable(untabbed(one)))

function untabbed(text: string): string {
  if (!text.includes('\t')) return text
  const [first = '', ...rest] = text.split('\t')
  return rest.reduce((all, part) => all + ' '.repeat(TAB_CELLS - (cells(all) % TAB_CELLS)) + part, first)
}

/** The text in lines of at most `width` cells, broken after a blank where there is one. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  while (cells(rest) > width) {
    const most = charsWithin(rest, width)
    const blank = rest.lastIndexOf(' ', most)
    const at = blank > most / 2 ? blank : most
    lines.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return [...lines, rest]
}

/** How many characters fit; at least one, so that every text comes to its end. */
function charsWithin(text: string, width: number): number {
  let used = 0
  let length = 0
  for (const char of text) {
    used += cells(char)
    if (used > width && length > 0) break
    length += char.length
  }
  return length
}
