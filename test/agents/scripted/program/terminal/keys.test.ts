import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Key, KeyReader } from '../../../../../src/agents/scripted/program/terminal/keys.ts'

const keysOf = (...pieces: string[]): Key[] => {
  const reader = new KeyReader()
  return [...pieces.flatMap((piece) => reader.feed(piece)), ...reader.flush()]
}

/** Text that arrives in pieces means the same as in one. */
function joined(keys: Key[]): Key[] {
  const all: Key[] = []
  for (const key of keys) {
    const last = all.at(-1)
    const more = key.key === 'text' && last?.key === 'text'
    if (more) all.splice(-1, 1, { key: 'text', text: last.text + key.text })
    else all.push(key)
  }
  return all
}

test('a paste is one key, with its lines and without its markers', () => {
  expect(keysOf('a\x1b[200~one\r\ntwo\rthree\x1b\x03\x1b[201~\r')).toEqual([
    { key: 'text', text: 'a' },
    { key: 'paste', text: 'one\ntwo\nthree\x1b\x03' },
    { key: 'enter' },
  ])
})

test('a lone ESC is Escape once nothing follows it; a sequence is not', () => {
  const reader = new KeyReader()
  expect(reader.feed('\x1b')).toEqual([])
  expect(reader.undecided).toBe(true)
  expect(reader.flush()).toEqual([{ key: 'escape' }])
  expect(reader.undecided).toBe(false)
  expect(keysOf('\x1b', '[A')).toEqual([{ key: 'up' }])
  expect(keysOf('\x1b[1;5C\x1bOB')).toEqual([{ key: 'down' }])
})

test('keys mean the same however the bytes are cut', () => {
  const part = fc.constantFrom(
    'x',
    'é',
    '\r',
    '\x03',
    '\x1b[A',
    '\x1b[200~p\nq\x1b[201~',
    '\x1b[200~',
    '\x1b[',
    '\x00',
  )
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat(80)), (parts, cuts) => {
      const bytes = parts.join('')
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length]
      const pieces = at.slice(1).map((end, index) => bytes.slice(at[index], end))
      expect(joined(keysOf(...pieces))).toEqual(joined(keysOf(bytes)))
    }),
  )
})
