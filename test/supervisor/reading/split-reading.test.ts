import { expect, test } from 'vitest'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'
import { splitReading } from '../../../src/supervisor/reading/split-reading.ts'

const said = (text: string): AgentSays => ({ kind: 'said', text })
const asked = (question: string): AgentSays => ({ kind: 'asked', question, options: [] })
const readEvent = (line: string) => [line.startsWith('?') ? asked(line) : said(line)]
const split = (text: string) => [...splitReading(Buffer.from(text), { readEvent }, null)]

test('what is read is one part; blank lines count as bytes only, half a line as a line', () => {
  expect(split('ä\n\n \r\nb')).toEqual([{ bytes: 8, says: [said('ä'), said('b')] }])
  expect(split('')).toEqual([])
})

test('a question ends its part', () => {
  expect(split('a\n?\nb\n?\n')).toEqual([
    { bytes: 4, says: [said('a'), asked('?')] },
    { bytes: 4, says: [said('b'), asked('?')] },
  ])
})

test('bytes that are no UTF-8 cost one character each, not the line', () => {
  const [part] = splitReading(Buffer.from([0x61, 0xff, 0x62, 0x0a, 0x63, 0x0a]), { readEvent }, null)
  expect(part).toEqual({ bytes: 6, says: [said('a\ufffdb'), said('c')] })
})

test('very many lines come in parts, and none is read before its part is asked for', () => {
  const lines = 100_000
  let read = 0
  const counting = (line: string) => {
    read++
    return [said(line)]
  }
  const parts = splitReading(Buffer.from('y\n'.repeat(lines)), { readEvent: counting }, null)
  const first = parts.next().value!
  expect(first.says.length).toBe(read)
  expect(read).toBeLessThan(lines / 10)
  const rest = [...parts]
  expect(read).toBe(lines)
  expect([first, ...rest].reduce((bytes, part) => bytes + part.bytes, 0)).toBe(2 * lines)
})

test('a line may say more than fits on a stack', () => {
  const many = Array.from({ length: 300_000 }, () => said('x'))
  const [part] = splitReading(Buffer.from('a\n'), { readEvent: () => many }, null)
  expect(part!.says.length).toBe(many.length)
})

test('what a helper of the agent says is passed over, from the agent’s own session on', () => {
  const codex = {
    readEvent: (line: string): AgentSays[] =>
      line.startsWith('session ') ? [{ kind: 'session', id: line.slice(8) }] : [{ kind: 'said', text: line }],
    isOf: (line: string, session: string) => !line.includes('@') || line.includes(`@${session}`),
  }
  const said = (session: string | null) =>
    [...splitReading(Buffer.from('a@1\nsession 2\nb@2\nc@1\n'), codex, session)]
      .flatMap(({ says }) => says)
      .flatMap((one) => (one.kind === 'said' ? [one.text] : []))
  expect(said(null)).toEqual(['a@1', 'b@2'])
  expect(said('9')).toEqual(['b@2'])
})
