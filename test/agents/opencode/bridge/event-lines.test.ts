import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EventLines } from '../../../../src/agents/opencode/bridge/event-lines.ts'
import { opencodeDriver } from '../../../../src/agents/opencode/driver.ts'

const opencode = opencodeDriver({ bridge: ['bridge'] })
const SESSION = 'ses_e1e6e04e0ffeX4Y6h7gapBBbXY'
const USAGE = { kind: 'usage', tokensIn: 100, tokensOut: 10, costUsd: 0 }
const HEARD = { kind: 'heard', ref: 'hf-1', text: null }

const eventsOf = (name: string): Record<string, unknown>[] =>
  readFileSync(new URL(`../../../fixtures/server/opencode/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** What a recording of the real server becomes, and what the driver reads in it. */
function retold(name: string, prompt: string | null, session = SESSION) {
  const lines: object[] = []
  const retelling = new EventLines((event) => void lines.push(event))
  retelling.own(session)
  if (prompt !== null) retelling.expect({ ref: 'hf-1', text: prompt })
  for (const event of eventsOf(name)) retelling.take(event)
  return { lines, says: lines.flatMap((line) => opencode.readEvent(JSON.stringify(line))), retelling }
}

test('words are told whole, and the turn ends once', () => {
  const { says, retelling } = retold('text', 'DO:text{hello there} one')
  expect(says).toEqual([
    HEARD,
    { kind: 'said', text: 'hello there' },
    USAGE,
    { kind: 'finished', ok: true, text: '' },
  ])
  expect(retelling.isBusy).toBe(false)
})

test('it rests when the turn was told to its end, not before', async () => {
  const events = eventsOf('text')
  const lines: { type?: unknown }[] = []
  const retelling = new EventLines((event) => void lines.push(event))
  retelling.own(SESSION)
  retelling.expect({ ref: 'hf-1', text: 'DO:text{hello there} one' })
  const toldBefore = retelling.untilIdle().then(() => lines.at(-1)?.type)
  for (const event of events) {
    retelling.take(event)
    await Promise.resolve()
  }
  expect(await toldBefore).toBe('holdfast.finished')
  await retelling.untilIdle()
})

test('a prompt that is not ours is heard with its words', () => {
  const { says } = retold('text', null)
  expect(says[0]).toEqual({ kind: 'heard', ref: null, text: 'DO:text{hello there} one' })
})

test('a permission is asked and answered; its tool begins once and ends once', () => {
  const { says } = retold('allowed', 'DO:shell{touch one.txt}')
  const ref = 'per_1e1920b110017szngsGh3LXUzr'
  expect(says).toEqual([
    HEARD,
    { kind: 'tool_began', tool: 'bash', detail: 'touch one.txt' },
    {
      kind: 'asked',
      question: 'Allow bash?\ntouch one.txt\n(always: touch *)',
      options: ['Allow once', 'Allow always', 'Reject'],
      ref,
    },
    { kind: 'answered', answer: 'once' },
    { kind: 'tool_ended', tool: 'bash', ok: true, detail: '(no output)' },
    USAGE,
    { kind: 'said', text: 'The work is done.' },
    USAGE,
    { kind: 'finished', ok: true, text: '' },
  ])
})

test('rejected without a word, it stops: no success, and nobody has to be called', () => {
  const { says } = retold('rejected', 'DO:shell{touch two.txt}')
  expect(says.at(-1)).toEqual({
    kind: 'finished',
    ok: false,
    text: 'it stopped because a tool call was refused',
  })
})

test('two questions of one request are asked one by one', () => {
  const { says, retelling } = retold('two-questions', null)
  const id = 'que_1e1921165001nMWVphzafoLbBh'
  expect(says.filter(({ kind }) => kind === 'asked')).toEqual([
    { kind: 'asked', question: 'Which one?', options: ['A', 'B'], ref: `${id}/0` },
    { kind: 'asked', question: 'Many?', options: ['C', 'D'], ref: `${id}/1` },
  ])
  expect(says).toContainEqual({ kind: 'answered', answer: 'B, own words' })
  expect(retelling.questionsIn(id)).toBe(2)
})

test.each([
  ['bad-key', 'DO:badkey', 'Incorrect API key provided.'],
  ['unknown-model', 'DO:text{unknown model}', 'Model not found: lab/nope.'],
  ['unknown-agent', 'DO:text{unknown agent}', expect.stringContaining('Agent not found')],
])('%s ends its turn once, with the reason', (name, prompt, text) => {
  const { says, retelling } = retold(name, prompt)
  expect(says.filter(({ kind }) => kind === 'finished')).toMatchObject([{ ok: false, text }])
  expect(retelling.isBusy).toBe(false)
})

test('other sessions are none of its business, but what its subagents ask is', () => {
  const { lines } = retold('allowed', null, 'ses_another')
  expect(lines).toEqual([])
  const subagent = { type: 'session.created', properties: { info: { id: SESSION, parentID: 'ses_ours' } } }
  const told: object[] = []
  const retelling = new EventLines((event) => void told.push(event))
  retelling.own('ses_ours')
  for (const event of [subagent, ...eventsOf('allowed')]) retelling.take(event)
  const says = told.flatMap((line) => opencode.readEvent(JSON.stringify(line)))
  expect(says.map(({ kind }) => kind)).toEqual(['asked', 'answered', 'usage', 'usage'])
})

test('an error that it got over does not spoil the turn', () => {
  const [first, ...rest] = eventsOf('text')
  const failed = {
    type: 'session.error',
    properties: { sessionID: SESSION, error: { name: 'ContextOverflowError', data: { message: 'long' } } },
  }
  const lines: object[] = []
  const retelling = new EventLines((event) => void lines.push(event))
  retelling.own(SESSION)
  for (const event of [first!, rest[0]!, failed, ...rest]) retelling.take(event)
  expect(lines.at(-1)).toMatchObject({ type: 'holdfast.finished', finish: 'stop', error: undefined })
})

test('a prompt that the server refuses ends its turn', () => {
  const lines: object[] = []
  const retelling = new EventLines((event) => void lines.push(event))
  retelling.own(SESSION)
  retelling.expect({ ref: 'hf-1', text: 'hello' })
  retelling.refusePrompt('Session not found')
  expect(opencode.readEvent(JSON.stringify(lines[0]))).toEqual([
    { kind: 'finished', ok: false, text: 'Session not found', failure: 'permanent' },
  ])
})

test('an interruption that is told after the end of its turn does not end the next one', () => {
  const lines: { type?: string }[] = []
  const retelling = new EventLines((event) => void lines.push(event))
  const failed = (name: string) => ({
    type: 'session.error',
    properties: { sessionID: SESSION, error: { name, data: { message: 'Aborted' } } },
  })
  const finished = () => lines.filter(({ type }) => type === 'holdfast.finished').length
  retelling.own(SESSION)
  retelling.expect({ ref: 'hf-2', text: 'go on' })
  retelling.take(failed('MessageAbortedError'))
  expect(finished()).toBe(0)
  expect(retelling.isBusy).toBe(true)
  retelling.take(failed('ProviderAuthError'))
  expect(finished()).toBe(1)
})
