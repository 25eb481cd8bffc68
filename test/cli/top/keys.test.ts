import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edit, editedText, textOf } from '../../../src/cli/top/input/edit-line.ts'
import { type Key, pendingOver, readKeys } from '../../../src/cli/top/input/keys.ts'

const names = (keys: readonly Key[]) => keys.map((key) => (key.kind === 'key' ? key.name : key.text))
const read = (...parts: string[]) => {
  let pending = ''
  const keys: Key[] = []
  for (const part of parts) {
    const found = readKeys(pending, part)
    keys.push(...found.keys)
    pending = found.pending
  }
  return { keys, pending }
}

test.each([
  ['\x1b[A', 'up'],
  ['\x1bOA', 'up'],
  ['\x1b[1;5B', 'down'],
  ['\x1b[5~', 'page_up'],
  ['\x1b[1~', 'home'],
  ['\x1bOF', 'end'],
  ['\x1b[Z', 'back_tab'],
  ['\r', 'enter'],
  ['\x7f', 'backspace'],
  ['\x03', 'ctrl_c'],
  ['\x1a', 'ctrl_z'],
])('%j is %s', (bytes, name) => {
  expect(names(read(bytes).keys)).toEqual([name])
})

test('an Esc that stands alone is a key only when nothing follows it', () => {
  expect(read('\x1b')).toEqual({ keys: [], pending: '\x1b' })
  expect(names(pendingOver('\x1b').keys)).toEqual(['escape'])
  expect(names(read('\x1b', '[A').keys)).toEqual(['up'])
  expect(pendingOver('\x1b[')).toEqual({ keys: [], pending: '\x1b[' })
})

test('what a terminal answers, and keys with Alt, do nothing; what follows them counts', () => {
  expect(names(read('\x1b[?1;2cq').keys)).toEqual(['q'])
  expect(names(read('\x1bkq').keys)).toEqual(['q'])
  expect(names(read('\x1b[\x01q').keys)).toEqual(['home', 'q'])
})

test('a paste is one key, whatever it contains', () => {
  expect(read('\x1b[200~ky\nq\x1b[A\x1b[201~w').keys).toEqual([
    { kind: 'paste', text: 'ky\nq\x1b[A' },
    { kind: 'text', text: 'w' },
  ])
})

test('sequences may be cut anywhere', () => {
  const all = 'a\x1b[A日\x1bOB\x1b[200~x\x1b[C\x1b[201~🎉\x1b[6~q'
  const whole = read(all).keys
  fc.assert(
    fc.property(fc.array(fc.nat({ max: all.length }), { maxLength: 6 }), (cuts) => {
      const sorted = [0, ...cuts.sort((a, b) => a - b), all.length]
      // A decoder never gives half of a character.
      const parts = sorted.slice(1).map((end, at) => all.slice(sorted[at], end))
      if (parts.some((part) => /[\ud800-\udbff]$/.test(part))) return
      expect(read(...parts).keys).toEqual(whole)
    }),
  )
})

test('a line is edited by what people see as one character', () => {
  const press = (
    line: ReturnType<typeof editedText>,
    name: 'left' | 'backspace' | 'ctrl_w' | 'home' | 'delete',
  ) => edit(line, { kind: 'key', name })!
  const family = editedText('ab👩‍👩‍👧')
  expect(textOf(press(family, 'backspace'))).toBe('ab')
  expect(textOf(press(press(editedText('abc'), 'left'), 'backspace'))).toBe('ac')
  expect(textOf(press(editedText('two words '), 'ctrl_w'))).toBe('two ')
  expect(textOf(press(press(editedText('abc'), 'home'), 'delete'))).toBe('bc')
  expect(edit(editedText('abc'), { kind: 'key', name: 'up' })).toBeUndefined()
})
