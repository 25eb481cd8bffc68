import { expect, test } from 'vitest'
import { added, PART_BYTES } from '../../web/src/data/task/held-parts.ts'
import { type OutputPart, partOf } from '../../web/src/data/task/whole-lines.ts'

const TEXT = [
  'agent: Grüße',
  'agent: 日本語 and 🦀🦀',
  '',
  'agent: ok',
  'a last line without an end 🦀',
].join('\n')
const BYTES = new TextEncoder().encode(TEXT)
const SIZES = Array.from({ length: 60 }, (_, n) => n + 8)

/** As the page follows an output, by so many bytes at a time. */
function followed(size: number): OutputPart[] {
  const parts: OutputPart[] = []
  for (let next = 0; ; ) {
    const part = partOf(BYTES.subarray(next, next + size), next, { begin: false, end: true })
    if (part.text === '') return parts
    parts.push(part)
    next = part.next
  }
}

/** As the page loads earlier parts, from the end. */
function loadedBackwards(size: number): OutputPart[] {
  const end = BYTES.length
  const parts = [partOf(BYTES.subarray(-size), Math.max(0, end - size), { begin: true, end: false })]
  while (parts[0]!.from > 0) {
    const until = parts[0]!.from
    const from = Math.max(0, until - size)
    parts.unshift(partOf(BYTES.subarray(from, until), from, { begin: true, end: false }))
  }
  return parts
}

test.each(SIZES)('parts of %i bytes lose no letter and cut none, forwards and backwards', (size) => {
  for (const parts of [followed(size), loadedBackwards(size)])
    expect(parts.map(({ text }) => text).join('')).toBe(TEXT)
})

test('a part ends after a whole line, and the rest of it comes with the next one', () => {
  const bytes = new TextEncoder().encode('one\ntwo\nthr')
  expect(partOf(bytes, 0, { begin: false, end: true })).toEqual({ text: 'one\ntwo\n', from: 0, next: 8 })
  expect(partOf(bytes.subarray(8), 8, { begin: false, end: true })).toEqual({
    text: 'thr',
    from: 8,
    next: 11,
  })
})

test('a part that begins in the middle of a line begins with the next one, unless there is none', () => {
  const bytes = new TextEncoder().encode('ne\ntwo\n')
  expect(partOf(bytes, 1, { begin: true, end: true })).toEqual({ text: 'two\n', from: 4, next: 8 })
  expect(partOf(bytes.subarray(0, 3), 1, { begin: true, end: true })).toEqual({
    text: 'ne\n',
    from: 1,
    next: 4,
  })
  expect(partOf(bytes, 0, { begin: true, end: true }).text).toBe('ne\ntwo\n')
})

test('the rest of a line joins its beginning, also when the part is nearly full', () => {
  const begun = { text: 'agent: hal', from: 0, next: PART_BYTES - 10 }
  const rest = { text: 'f\n', from: begun.next, next: begun.next + 200 }
  expect(added([begun], rest)).toEqual([{ text: 'agent: half\n', from: 0, next: rest.next }])
  const more = { text: 'agent: more\n', from: rest.next, next: rest.next + 12 }
  expect(added(added([begun], rest), more)).toHaveLength(2)
})
