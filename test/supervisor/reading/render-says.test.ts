import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'
import { renderSays } from '../../../src/supervisor/reading/render-says.ts'

const rendered: [AgentSays, string][] = [
  [{ kind: 'session', id: 'abc' }, 'session: abc\n'],
  [{ kind: 'said', text: 'one\r\ntwo' }, 'agent: one\n       two\n'],
  [{ kind: 'tool_began', tool: 'bash', detail: 'npm test' }, 'tool: bash npm test\n'],
  [{ kind: 'tool_ended', tool: 'bash', ok: true, detail: '' }, 'tool done: bash\n'],
  [{ kind: 'tool_ended', tool: 'bash', ok: false, detail: 'exit 1' }, 'tool failed: bash exit 1\n'],
  [{ kind: 'asked', question: 'Go?', options: ['yes', 'no'] }, 'asks: Go?\n      1. yes\n      2. no\n'],
  [{ kind: 'answered', answer: 'yes' }, 'answer: yes\n'],
  [{ kind: 'limited', message: 'Full.', untilMs: 0 }, 'limit: Full. (until 1970-01-01T00:00:00.000Z)\n'],
  [{ kind: 'limited', message: 'Full.', untilMs: null }, 'limit: Full.\n'],
  [{ kind: 'limited', message: 'Full.', untilMs: 9e15 }, 'limit: Full. (until an unknown time)\n'],
  [{ kind: 'usage', tokensIn: 10, tokensOut: 20, costUsd: 0.5 }, 'usage: 10 tokens in, 20 out, $0.5000\n'],
  [
    { kind: 'usage', tokensIn: 10, tokensOut: 20, costUsd: 0, cumulative: true },
    'usage: 10 tokens in, 20 out so far\n',
  ],
  [{ kind: 'finished', ok: true, text: 'done' }, 'result: done\n'],
  [{ kind: 'finished', ok: false, text: 'no' }, 'result, failed: no\n'],
  [{ kind: 'unknown', line: 'what?' }, 'unknown: what?\n'],
]
test.each(rendered)('%j reads well', (says, text) => expect(renderSays(says)).toBe(text))

test('an escape sequence becomes a picture of itself', () => {
  expect(renderSays({ kind: 'said', text: 'a\x1b[31mb\x9b31m\x07\t\x7f' })).toBe('agent: a␛[31mb�31m␇    ␡\n')
})

test('long words are kept, long tool details are not', () => {
  const long = 'x'.repeat(100_000)
  expect(renderSays({ kind: 'said', text: long })).toContain(long)
  expect(renderSays({ kind: 'tool_began', tool: 'bash', detail: long }).length).toBeLessThan(400)
})

test('no control byte but the newline is ever written, and the last one is a newline', () => {
  const text = fc.string({ unit: 'binary', maxLength: 50 })
  const says = fc.oneof<fc.Arbitrary<AgentSays>[]>(
    fc.record({ kind: fc.constant('said' as const), text }),
    fc.record({ kind: fc.constant('session' as const), id: text }),
    fc.record({ kind: fc.constant('tool_began' as const), tool: text, detail: text }),
    fc.record({ kind: fc.constant('asked' as const), question: text, options: fc.array(text) }),
    fc.record({ kind: fc.constant('limited' as const), message: text, untilMs: fc.double() }),
    fc.record({ kind: fc.constant('unknown' as const), line: text }),
  )
  fc.assert(
    fc.property(says, (each) => {
      const shown = renderSays(each)
      expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
      expect(shown.endsWith('\n')).toBe(true)
    }),
  )
})
