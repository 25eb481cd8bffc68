import fc from 'fast-check'
import { expect, test } from 'vitest'
import { customDriver } from '../../../src/agents/custom/driver.ts'
import { readCustomAgents } from '../../../src/domain/settings/custom-agents.ts'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'
import { aRequest } from '../a-request.ts'

const described = (agent: unknown) => customDriver('mine', readCustomAgents({ mine: agent }).mine!)
const request = aRequest({ prompt: '$(touch x); `id` "\'\\ {dir}\n--yes', dir: '/p/a b' })

test('without {prompt_file} the prompt goes to stdin', () => {
  expect(described({ argv: ['agent', '--at={dir}'] }).launch(request)).toEqual({
    argv: ['agent', '--at=/p/a b'],
    env: {},
    stdin: request.prompt,
    files: [],
    sessionId: null,
  })
})

test('with {prompt_file} it is a file, and stdin is empty', () => {
  const plan = described({ argv: ['agent', '{prompt_file}'] }).launch(request)
  expect(plan).toMatchObject({ argv: ['agent', '/run/files/prompt.txt'], stdin: '' })
  expect(plan.files).toEqual([{ name: 'prompt.txt', content: request.prompt }])
})

test('the arguments for a model are there only when one is asked for', () => {
  const agent = described({ argv: ['agent', '-m={model}', 'go'], model: ['--model', '{model}'] })
  expect(agent.launch(request).argv).toEqual(['agent', 'go'])
  expect(agent.launch({ ...request, model: 'gpt' }).argv).toEqual(['agent', '-m=gpt', 'go', '--model', 'gpt'])
})

test('what is filled in is not filled in again, and stays one argument', () => {
  const agent = described({ argv: ['agent', '{model}'] })
  expect(agent.launch({ ...request, model: '{dir} $& $1' }).argv).toEqual(['agent', '{dir} $& $1'])
})

test('a session is resumed with its own command line', () => {
  const agent = described({
    argv: ['agent', '{prompt_file}'],
    resume: ['agent', '--restore', '{session_id}'],
    patterns: { session: 'session (.*)' },
  })
  expect(agent.launch({ ...request, resume: 'abc-1' })).toMatchObject({
    argv: ['agent', '--restore', 'abc-1'],
    stdin: request.prompt,
    files: [],
    sessionId: 'abc-1',
  })
})

test('it declares what its description gives it', () => {
  expect(described({ argv: ['agent'] })).toMatchObject({
    kind: 'mine',
    program: { name: 'agent', tested: null },
    can: { modes: ['headless'], model: false, resume: false, permissions: ['default'] },
    ownEnv: [],
  })
  const patterns = { session: '(.*)' }
  const able = {
    argv: ['agent'],
    model: ['{model}'],
    resume: ['agent', '{session_id}'],
    env: ['X_*'],
    patterns,
  }
  expect(described(able)).toMatchObject({ can: { model: true, resume: true }, ownEnv: ['X_*'] })
  expect(described({ argv: ['agent', '{model}'] }).can.model).toBe(true)
})

const agent = described({
  argv: ['agent'],
  patterns: {
    session: 'session ([0-9a-f-]{36})',
    done: '^All done',
    failed: '^Error: (.*)',
    limit: 'rate limit.*',
    asking: '^\\? (.*)',
  },
})

test.each<[line: string, says: AgentSays[]]>([
  ['Hello', [{ kind: 'said', text: 'Hello' }]],
  ['All done, 3 files', [{ kind: 'finished', ok: true, text: 'All done' }]],
  ['  All done', [{ kind: 'said', text: '  All done' }]],
  ['Error: no key', [{ kind: 'finished', ok: false, text: 'no key' }]],
  ['Error: ', [{ kind: 'said', text: 'Error:' }]],
  ['hit a rate limit, 5 min', [{ kind: 'limited', message: 'rate limit, 5 min', untilMs: null }]],
  ['? Go on (y/n)', [{ kind: 'asked', question: 'Go on (y/n)', options: [] }]],
  ['Error: rate limit', [{ kind: 'finished', ok: false, text: 'rate limit' }]],
  ['\x1b[1;32mAll done\x1b[0m', [{ kind: 'finished', ok: true, text: 'All done' }]],
  ['\x1b]0;title\x07Hello', [{ kind: 'said', text: 'Hello' }]],
  [' 10%\r 90%\rAll done\r', [{ kind: 'finished', ok: true, text: 'All done' }]],
  [
    `session ${request.sessionId}`,
    [
      { kind: 'session', id: request.sessionId },
      { kind: 'said', text: `session ${request.sessionId}` },
    ],
  ],
])('%j is understood', (line, says) => expect(agent.readEvent(line)).toEqual(says))

test('patterns see the first 4 KB of a line and no more', () => {
  const far = described({ argv: ['agent'], patterns: { done: 'END$' } })
  expect(far.readEvent(`${'x'.repeat(4093)}END`)[0]).toMatchObject({ kind: 'finished' })
  expect(far.readEvent(`${'x'.repeat(4096)}END`)[0]).toMatchObject({ kind: 'said' })
})

test('a slow pattern on a line of 5 MB is slow on 4 KB only', () => {
  const slow = described({ argv: ['agent'], patterns: { done: 'a*b$' } })
  const [said] = slow.readEvent('a'.repeat(5_000_000))
  expect(said).toMatchObject({ kind: 'said' })
  expect((said as { text: string }).text.length).toBeLessThanOrEqual(1_000_001)
})

test('an id that could be taken for an option, a path upwards or several words does not match', () => {
  for (const id of ['--yes', '', 'a b', '../x', 'a\nb', 'x'.repeat(201)])
    expect(agent.sessionIdPattern.test(id)).toBe(false)
  expect(agent.sessionIdPattern.test('ses_01.x:y')).toBe(true)
})

test('no line at all makes it throw, and each means exactly one thing beside its session id', () => {
  const begin = fc.constantFrom(
    '',
    'All done',
    'Error: ',
    '? ',
    'rate limit',
    `session ${request.sessionId}`,
    '\x1b[',
  )
  const line = fc.tuple(begin, fc.string({ unit: 'binary' })).map(([head, tail]) => head + tail)
  fc.assert(
    fc.property(line, (text) => {
      const says = agent.readEvent(text)
      expect(says.filter(({ kind }) => kind !== 'session')).toHaveLength(1)
      expect(JSON.stringify(says)).not.toContain('\\u0000')
    }),
  )
  for (const codes of ['\x1b[', '\x1b]', '\x1b[0', '\r', '\x1b]0;'])
    expect(agent.readEvent(codes.repeat(1_000_000))).toHaveLength(1)
})
