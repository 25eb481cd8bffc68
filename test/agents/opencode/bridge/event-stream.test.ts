import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents } from '../../../../src/agents/opencode/bridge/event-stream.ts'

async function read(chunks: readonly (Uint8Array | string)[], longest?: number): Promise<string[]> {
  const taken: string[] = []
  const bytes = chunks.map((chunk) => Buffer.from(chunk as string))
  await readEvents(Readable.from(bytes), (data) => taken.push(data), longest)
  return taken
}

test.each([
  ['one after the other', 'data: {"a":1}\n\ndata: {"a":2}\n\n', ['{"a":1}', '{"a":2}']],
  ['without a blank after the colon', 'data:x\n\n', ['x']],
  ['with data in several lines', 'data: {\ndata:  "a": 1\ndata: }\n\n', ['{\n "a": 1\n}']],
  ['with CRLF', 'data: x\r\n\r\ndata: y\r\n\r\n', ['x', 'y']],
  ['with CR alone', 'data: x\r\rdata: y\r\r\n', ['x', 'y']],
  ['between comments', ': hello\n\ndata: x\n: still there\n\n:\n\n', ['x']],
  [
    'with a name, an id and fields that nobody knows',
    'event: e\nid: 7\nretry: x\nfoo: y\ndata: x\n\n',
    ['x'],
  ],
  ['behind a byte order mark', '\ufeffdata: x\n\n', ['x']],
  ['of which the last was cut off', 'data: x\n\ndata: y\n', ['x']],
  ['of which none has data', 'event: e\n\n\n\n', []],
])('events %s', async (_, sent, data) => {
  expect(await read([sent])).toEqual(data)
})

test('events may be cut anywhere, also within a letter and between CR and LF', async () => {
  const sent = Buffer.from('data: é漢🙂\r\n\r\n: c\ndata: a\ndata: b\n\ndata: {"x":"\u2028"}\r\n\r\n')
  const whole = ['é漢🙂', 'a\nb', '{"x":"\u2028"}']
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(sent.length), { maxLength: 12 }), async (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), sent.length]
      const chunks = at.slice(1).map((end, index) => sent.subarray(at[index], end))
      expect(await read(chunks)).toEqual(whole)
    }),
  )
})

test('a long event is taken whole', async () => {
  const long = 'x'.repeat(3_000_000)
  const sent = Buffer.from(`data: ${long}\n\n`)
  const chunks = Array.from({ length: 50 }, (_, at) => sent.subarray(at * 65_536, (at + 1) * 65_536))
  expect(await read(chunks)).toEqual([long])
})

test.each([
  ['a line', ['data: ', ...Array(20).fill('x'.repeat(100))]],
  ['many lines of one event', Array(20).fill(`data: ${'x'.repeat(100)}\n`)],
])('%s without end is not kept, and ends the stream', async (_, chunks) => {
  await expect(read(['data: a\n\n', ...chunks, '\n\ndata: b\n\n'], 1000)).rejects.toThrow(
    'opencode sent an event of more than 1000 characters',
  )
})
