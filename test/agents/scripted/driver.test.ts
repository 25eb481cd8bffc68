import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scriptedDriver } from '../../../src/agents/scripted/driver.ts'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'
import { reading } from '../../../src/ports/run/screen.ts'
import { HeadlessAgent } from '../../helpers/scripted-agent.ts'
import { aRequest } from '../a-request.ts'

const driver = scriptedDriver({ executable: ['node', '/x/scripted-agent.js'] })
const read = (event: unknown) => driver.readEvent(JSON.stringify(event))
const request = aRequest({ prompt: 'do: say $(hi)' })

describe('launch', () => {
  test('the prompt goes by stdin, never in argv, and the session id is ours', () => {
    expect(driver.launch(request)).toEqual({
      argv: ['node', '/x/scripted-agent.js', '--json', '--session-id', request.sessionId],
      env: {},
      stdin: 'do: say $(hi)',
      files: [],
      sessionId: request.sessionId,
    })
    expect(driver.sessionIdPattern.test(request.sessionId)).toBe(true)
  })

  test('a session is resumed by its id', () => {
    const plan = driver.launch({ ...request, resume: 'abcd-1234' })
    expect(plan.argv.slice(2)).toEqual(['--json', '--resume', 'abcd-1234'])
    expect(plan.sessionId).toBe('abcd-1234')
  })

  test('spoken to, it gets no prompt before the conversation begins', () => {
    const plan = driver.launch({ ...request, converse: true })
    expect(plan).toMatchObject({ stdin: '', sessionId: request.sessionId })
    expect(plan.argv.slice(2)).toEqual(['--json', '--converse', '--session-id', request.sessionId])
    const again = driver.launch({ ...request, converse: true, resume: 'abcd-1234' })
    expect(again.argv.slice(2)).toEqual(['--json', '--converse', '--resume', 'abcd-1234'])
  })

  test('in a terminal it is started with its clock and without a prompt', () => {
    const plan = driver.launch({ ...request, mode: 'interactive', resume: 'abcd-1234' })
    expect(plan).toMatchObject({ stdin: '', sessionId: 'abcd-1234' })
    expect(plan.argv.slice(2)).toEqual(['--tui', '--status-clock', '--resume', 'abcd-1234'])
  })

  test('a model stays one argument, whatever it looks like', () => {
    expect(driver.launch({ ...request, model: '--tui' }).argv).toContain('--model=--tui')
  })
})

const known: [unknown, AgentSays[]][] = [
  [{ type: 'session', id: 'abcd-1234' }, [{ kind: 'session', id: 'abcd-1234' }]],
  [{ type: 'prompt', text: 'x' }, []],
  [{ type: 'say', text: 'hi' }, [{ kind: 'said', text: 'hi' }]],
  [{ type: 'tool_start', tool: 't', detail: 'd', pid: 1 }, [{ kind: 'tool_began', tool: 't', detail: 'd' }]],
  [
    { type: 'tool_end', tool: 't', ok: false, detail: 'd' },
    [{ kind: 'tool_ended', tool: 't', ok: false, detail: 'd' }],
  ],
  [{ type: 'ask', question: 'q', options: ['a'] }, [{ kind: 'asked', question: 'q', options: ['a'] }]],
  [
    { type: 'ask', question: 'q', options: [], ref: 'r' },
    [{ kind: 'asked', question: 'q', options: [], ref: 'r' }],
  ],
  [{ type: 'heard', ref: 'hf-1' }, [{ kind: 'heard', ref: 'hf-1', text: null }]],
  [{ type: 'answer', answer: 'a' }, [{ kind: 'answered', answer: 'a' }]],
  [{ type: 'limit', message: 'm', until: 5 }, [{ kind: 'limited', message: 'm', untilMs: 5 }]],
  [{ type: 'limit', message: 'm', until: 'soon' }, [{ kind: 'limited', message: 'm', untilMs: null }]],
  [
    { type: 'usage', tokens_in: 1, tokens_out: 2, cost_usd: 0.5 },
    [{ kind: 'usage', tokensIn: 1, tokensOut: 2, costUsd: 0.5 }],
  ],
  [{ type: 'result', ok: true, text: 'done' }, [{ kind: 'finished', ok: true, text: 'done' }]],
]
test.each(known)('%j is understood', (event, says) => expect(read(event)).toEqual(says))

const strange = [
  null, 7, 'say', [], {}, { type: 'dance' }, { type: '__proto__' }, { type: ['say'], text: 'x' }, { type: 'say' },
  { type: 'say', text: 7 }, { type: 'heard' }, { type: 'heard', ref: 7 }, { type: 'result', ok: 'yes', text: 'x' }, { type: 'ask', question: 'q', options: [1] },
  { type: 'usage', tokens_in: -1, tokens_out: 0, cost_usd: 0 }, { type: 'tool_end', tool: 't', detail: 'd' },
  { type: 'usage', tokens_in: 1.5, tokens_out: 0, cost_usd: 0 }, { type: 'usage', tokens_in: 1, tokens_out: 1 },
] // biome-ignore format: one glance is enough
test.each(strange)('%j is unknown', (event) => expect(read(event)[0]?.kind).toBe('unknown'))

describe('what is said to it', () => {
  const asked = { ref: 'r', question: 'q', options: ['red', 'blue'] }
  const { prompt, answer } = driver.lines!

  test('a prompt is one line, whatever is in it, and needs no session', () => {
    const text = 'do: say "hi"\n\u2028{"type":"answer"}'
    const line = prompt({ ref: 'hf-1', text, session: null })!
    expect(line.indexOf('\n')).toBe(line.length - 1)
    expect(JSON.parse(line)).toEqual({ type: 'prompt', ref: 'hf-1', text })
  })

  test('an answer is an option in its words, or a text of one’s own', () => {
    expect(JSON.parse(answer(asked, { option: 1, text: '2' })!)).toMatchObject({ ref: 'r', answer: 'blue' })
    expect(JSON.parse(answer(asked, { option: null, text: 'none' })!)).toMatchObject({ answer: 'none' })
  })

  test('an option that there is not is no answer', () => {
    expect(answer(asked, { option: 2, text: 'blue' })).toBeNull()
    expect(answer(asked, { option: -1, text: 'blue' })).toBeNull()
  })
})

describe('the keys that answer it', () => {
  const asking = (options: string[], draft: string | null = null) =>
    reading('asking', 'x', { draft, question: { text: 'q', options } })
  const { choose } = driver.keys!

  test('a digit chooses and Enter sends; the tenth option is one below the ninth', () => {
    const many = asking(Array.from({ length: 12 }, (_, at) => `option ${at + 1}`))
    expect(choose(many, { option: 1, text: '' })).toEqual(['2', 'Enter'])
    expect(choose(many, { option: 8, text: '' })).toEqual(['9', 'Enter'])
    expect(choose(many, { option: 10, text: '' })).toEqual(['9', 'Down', 'Down', 'Enter'])
    expect(choose(many, { option: 12, text: '' })).toBeNull()
  })

  test('a text is typed letter by letter, where the box takes one', () => {
    expect(choose(asking([]), { option: null, text: 'a b\n;' })).toEqual([
      'a',
      'Space',
      'b',
      'C-j',
      ';',
      'Enter',
    ])
  })

  test.each([
    [asking(['yes', 'no']), 'a dialog takes no text'],
    [asking([], 'half a word'), 'somebody else is typing'],
    [reading('idle', 'x'), 'nothing is asked'],
  ])('no text is typed when %o: %s', (screen) => {
    expect(choose(screen, { option: null, text: 'Ada' })).toBeNull()
  })

  test.each(['', ' \n', 'a\x1b[201~', 'a\rb', '\x03'])('%j is not typed', (text) => {
    expect(choose(asking([]), { option: null, text })).toBeNull()
  })
})

test('a line of 5 MB is capped without halving a character', () => {
  const [said] = read({ type: 'say', text: `x${'🙂'.repeat(1_250_000)}` })
  if (said?.kind !== 'said') throw new Error('not said')
  expect(said.text.length).toBeLessThanOrEqual(1_000_001)
  expect(said.text.endsWith('🙂…')).toBe(true)
  const [unknown] = driver.readEvent('\x1b['.repeat(2_500_000))
  expect(JSON.stringify(unknown).length).toBeLessThan(300)
})

test('NUL never gets through, because PostgreSQL cannot store it', () => {
  expect(read({ type: 'say', text: 'a\0b' })).toEqual([{ kind: 'said', text: 'a\ufffdb' }])
})

test('no line at all makes it throw', () => {
  const types = known.map(([event]) => (event as { type: string }).type)
  const event = fc
    .record({ type: fc.constantFrom(...types) })
    .chain(({ type }) =>
      fc
        .dictionary(
          fc.constantFrom('id', 'ref', 'text', 'tool', 'ok', 'detail', 'options', 'until'),
          fc.jsonValue(),
        )
        .map((fields) => JSON.stringify({ type, ...fields })),
    )
  const line = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), event)
  fc.assert(fc.property(line, (text) => Array.isArray(driver.readEvent(text))))
  expect(driver.readEvent('['.repeat(1_000_000))[0]?.kind).toBe('unknown')
})

test('it understands every line the real agent prints, but the garbage', async () => {
  const steps = ['say a', 'usage 1 2 0.1', 'tool 0', 'run true', 'garbage', 'flood 10', 'limit 1']
  const { agent } = await HeadlessAgent.run(steps.map((step) => `do: ${step}`).join('\n'))
  const lines = agent.stdout.toString('utf8').trimEnd().split('\n')
  const kinds = lines.flatMap((line) => driver.readEvent(line)).map(({ kind }) => kind)
  const tool = ['tool_began', 'tool_ended']
  expect(kinds).toEqual(
    ['session', 'said', 'usage', tool, tool, 'unknown', 'unknown', 'said', 'limited', 'finished'].flat(),
  )
  expect(agent.sessionId).toMatch(driver.sessionIdPattern)
})
