import { expect, test } from 'vitest'
import type { KeptBack } from '../../../src/domain/conversation/kept-back.ts'
import { keptLine, keptQuestion } from '../../../src/domain/conversation/kept-back-text.ts'

const typing: KeptBack = { kind: 'person_types', lastKeyAt: 1000, until: 21_000 }

test('what keeps prompts reads with its number, its reason and its time', () => {
  expect(keptLine(2, typing, 15_000)).toBe('2 prompts wait: someone is typing in its terminal (14s ago)')
  expect(keptLine(1, { kind: 'history' }, 0)).toBe(
    '1 prompt waits: someone is looking through the history of its terminal',
  )
  expect(keptLine(1, { kind: 'no_terminal', why: 'tmux_hung' }, 0)).toBe(
    '1 prompt waits: tmux does not answer',
  )
})

test('a long draft is cut, and stays on one line', () => {
  const line = keptLine(1, { kind: 'draft', text: `one\ntwo ${'x'.repeat(100)}` }, 0)
  expect(line).toMatch(/: "one two x+…"$/)
  expect(line.length).toBeLessThan(120)
})

test('a person is told what to do in the terminal, and what else there is', () => {
  expect(keptQuestion(1, { kind: 'draft', text: 'half' }, 0)).toBe(
    '1 prompt waits: its input box holds unsent text: "half". Attach and send or delete that text there: then the session goes on by itself. Or resume it in a new terminal (the old one closes), or close it?',
  )
  expect(keptQuestion(1, { kind: 'no_terminal', why: 'pane_gone' }, 0)).toBe(
    '1 prompt waits: its terminal is gone. Resume it in a new terminal (the old one closes), or close it?',
  )
})
