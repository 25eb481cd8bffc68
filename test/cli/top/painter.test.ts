// The painter's bytes in a real terminal emulator: it shows the frame that was wanted, whatever came before.
import { createRequire } from 'node:module'
import type { Terminal as XtermTerminal } from '@xterm/headless'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cells } from '../../../src/cli/render/print/cells.ts'
import { drawable, type Line, type Style } from '../../../src/cli/top/screen/lines.ts'
import { type Frame, paint, type Shown, type Size } from '../../../src/cli/top/screen/painter.ts'

const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof XtermTerminal }

/** A terminal that agrees with us about the width of every character. */
function agreeing({ columns, rows }: Size): XtermTerminal {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 })
  const wcwidth = (code: number) => Math.min(2, cells(String.fromCodePoint(code))) as 0 | 1 | 2
  terminal.unicode.register({
    version: 'ours',
    wcwidth,
    charProperties: (code: number, before: number) => {
      const width = wcwidth(code)
      // As xterm's own table: the width of the character before is in the second and third bit.
      const joins = width === 0 && before !== 0
      const kept = joins ? (before >> 1) & 3 : width
      return ((code & 0xffffff) << 3) | (kept << 1) | (joins ? 1 : 0)
    },
  } as never)
  terminal.unicode.activeVersion = 'ours'
  return terminal
}

const write = (terminal: XtermTerminal, bytes: string) =>
  new Promise<void>((resolve) => terminal.write(bytes, resolve))

const shownBy = (terminal: XtermTerminal): string[] =>
  Array.from(
    { length: terminal.rows },
    (_, at) =>
      terminal.buffer.active
        .getLine(terminal.buffer.active.baseY + at)
        ?.translateToString(true)
        .trimEnd() ?? '',
  )

/** What a line is to look like: all of its text that fits, in so many cells. */
function wantedLine(line: Line, columns: number): string {
  let text = ''
  for (const span of line) {
    const part = drawable(span.text)
    const left = columns - cells(text)
    if (cells(part) <= left) text += part
    else {
      let kept = ''
      for (const char of part)
        if (cells(kept + char) <= left - 1) kept += char
        else break
      text += left < 1 ? '' : `${kept}…`
      // A wide character that does not fit leaves a cell free, which the next part may take.
    }
  }
  return text.trimEnd()
}

const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l'
const styles: Style[] = ['bold', 'dim', 'red', 'selected', 'title', 'needs_you']
const text = fc
  .array(
    fc.constantFrom(
      ...['a', 'Z', '0', ' ', '-', 'é', 'ß', '日', '本', '🎉', '…', '─', '▸', 'e\u0301', '\u200d', '\ufe0f'],
      ...['\x1b[2J', '\x1b', '\x07', '\n', '\r', '\t', '\x9b31m', '\u202e', '\u2028', '\ud800'],
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))
const span = fc.record({ text, style: fc.constantFrom(undefined, ...styles) })
const frames = fc.array(
  fc.record({
    size: fc.record({ columns: fc.integer({ min: 4, max: 30 }), rows: fc.integer({ min: 1, max: 8 }) }),
    keepsSize: fc.boolean(),
    lines: fc.array(fc.array(span, { maxLength: 4 }), { maxLength: 8 }),
    cursor: fc.option(fc.constant({ row: 0, column: 1 })),
  }),
  { minLength: 1, maxLength: 8 },
)

test('after any frames and sizes the terminal shows the last frame, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(frames, fc.boolean(), async (all, hasColour) => {
      let size = all[0]!.size
      const terminal = agreeing(size)
      let shown: Shown | null = null
      await write(terminal, `what was there\r\n${ENTER}`)
      for (const { lines, cursor, ...step } of all) {
        if (!step.keepsSize) {
          size = step.size
          terminal.resize(size.columns, size.rows)
        }
        const frame: Frame = { lines: lines.slice(0, size.rows), cursor }
        const painted = paint(shown, frame, size, hasColour)
        shown = painted.shown
        await write(terminal, painted.bytes)
        const wanted = Array.from({ length: size.rows }, (_, at) =>
          wantedLine(frame.lines[at] ?? [], size.columns),
        )
        expect(shownBy(terminal)).toEqual(wanted)
      }
      terminal.dispose()
    }),
    { numRuns: 150 },
  )
})

test('a terminal with other widths shows a wrong cell at most: no other row and no later column moves', async () => {
  const size = { columns: 30, rows: 3 }
  const terminal = new Terminal({ cols: 30, rows: 3, allowProposedApi: true })
  await write(terminal, ENTER)
  const frame = (name: string): Frame => ({
    lines: [[{ text: 'above' }], [{ text: name }, { text: '| state', style: 'dim' }], [{ text: 'below' }]],
    cursor: null,
  })
  let shown: Shown | null = null
  for (const name of ['🎉🎉🎉', 'abcdef', '👩‍👩‍👧x']) {
    const painted = paint(shown, frame(name), size, true)
    shown = painted.shown
    await write(terminal, painted.bytes)
    const [above, middle = '', below] = shownBy(terminal)
    expect([above, below]).toEqual(['above', 'below'])
    expect(middle.indexOf('| state')).toBeGreaterThan(0)
    const cell = terminal.buffer.active.getLine(1)?.getCell(cells(drawable(name)))
    expect(cell?.getChars()).toBe('|')
  }
})

test('only rows that changed are written, within one synchronized update', () => {
  const size = { columns: 10, rows: 3 }
  const lines = [[{ text: 'one' }], [{ text: 'two' }], [{ text: 'three' }]]
  const first = paint(null, { lines, cursor: null }, size, false)
  expect(first.bytes).toMatch(/^\x1b\[\?2026h.*\x1b\[2J.*one.*two.*three.*\x1b\[\?2026l$/s)
  expect(paint(first.shown, { lines, cursor: null }, size, false).bytes).toBe('')
  const changed = [lines[0]!, [{ text: 'TWO' }], lines[2]!]
  expect(paint(first.shown, { lines: changed, cursor: null }, size, false).bytes).toBe(
    '\x1b[?2026h\x1b[2;1HTWO\x1b[K\x1b[?2026l',
  )
})

test('without colour there is no style at all', () => {
  const lines = styles.map((style): Line => [{ text: 'x', style }])
  const { bytes } = paint(null, { lines, cursor: null }, { columns: 5, rows: 6 }, false)
  expect(bytes.replace('\x1b[0m\x1b[2J', '')).not.toMatch(/\x1b\[[\d;]*m/)
})

test('no control character of a text reaches the terminal', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.integer({ min: 0, max: 0x3ff }).map((code) => String.fromCharCode(code)),
        { maxLength: 60 },
      ),
      (hostile) => {
        const { bytes } = paint(
          null,
          { lines: [[{ text: hostile.join('') }]], cursor: null },
          { columns: 40, rows: 1 },
          true,
        )
        const ours = bytes.replace(/\x1b\[(\?2026[hl]|\?25l|0m|2J|1;1H|2K|K|\d+G)/g, '')
        expect(ours).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
      },
    ),
  )
})
