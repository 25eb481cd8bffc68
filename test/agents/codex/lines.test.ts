import { expect, test } from 'vitest'
import { codexDriver } from '../../../src/agents/codex/driver.ts'
import type { AgentSays, LaunchRequest } from '../../../src/ports/run/agent-driver.ts'
import { aRequest } from '../a-request.ts'

const ID = '01a1e084-122f-7c60-a117-f9762ca036cf'
const lines = codexDriver.lines!
const read = (message: unknown) => codexDriver.readEvent(JSON.stringify(message))
const parse = (text: string | null) =>
  text === null
    ? null
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
const request = (more: Partial<LaunchRequest>) =>
  aRequest({ converse: true, prompt: 'never said here', ...more })
const asking = (method: string, params: object) =>
  read({ id: 7, method, params })[0] as Extract<AgentSays, { kind: 'asked' }>

test('a prompt waits for its session, then names it and our ref', () => {
  expect(lines.prompt({ ref: 'hf-1', text: 'hi', session: null })).toBe(null)
  expect(parse(lines.prompt({ ref: 'hf-1', text: 'a\n"b"', session: ID }))).toEqual([
    {
      id: 'hf-1',
      method: 'turn/start',
      params: { threadId: ID, clientUserMessageId: 'hf-1', input: [{ type: 'text', text: 'a\n"b"' }] },
    },
  ])
})

test('a conversation opens with a thread, and holds no prompt', () => {
  const plan = codexDriver.launch(request({ persona: 'You are it.', model: 'other', permission: 'edit' }))
  expect(plan.argv).toEqual(['codex', 'app-server'])
  expect(plan.stdin).not.toContain('never said here')
  expect(parse(plan.stdin)?.slice(1)).toEqual([
    { method: 'initialized' },
    {
      id: 'thread',
      method: 'thread/start',
      params: {
        cwd: '/home/user/project',
        model: 'other',
        developerInstructions: 'You are it.',
        sandbox: 'workspace-write',
        approvalPolicy: 'on-request',
        approvalsReviewer: 'user',
      },
    },
  ])
})

test('a resumed conversation names its thread, with the same terms', () => {
  const plan = codexDriver.launch(request({ resume: ID, permission: 'read' }))
  expect(plan.sessionId).toBe(ID)
  expect(parse(plan.stdin)?.at(-1)).toMatchObject({
    method: 'thread/resume',
    params: { threadId: ID, sandbox: 'read-only', approvalPolicy: 'never' },
  })
})

test.each([
  [0, { decision: 'accept' }],
  [1, { decision: 'acceptForSession' }],
  [2, { decision: 'decline' }],
])('option %i about a command is one decision', (option, result) => {
  const {
    question,
    options,
    ref = '',
  } = asking('item/commandExecution/requestApproval', {
    ...{ threadId: ID, turnId: 't', command: 'rm x', reason: 'why not' },
  })
  expect(question).toContain('$ rm x')
  expect(parse(lines.answer({ ref, question, options }, { option, text: '' }))).toEqual([{ id: 7, result }])
})

test('a text declines, and tells what to do instead', () => {
  const {
    question,
    options,
    ref = '',
  } = asking('item/fileChange/requestApproval', {
    ...{ threadId: ID, turnId: 't' },
  })
  expect(parse(lines.answer({ ref, question, options }, { option: null, text: 'no' }))).toMatchObject([
    { method: 'turn/steer', params: { threadId: ID, expectedTurnId: 't' } },
    { id: 7, result: { decision: 'decline' } },
  ])
  expect(lines.answer({ ref, question, options }, { option: null, text: ' ' })).toBe(null)
  expect(lines.answer({ ref, question, options }, { option: 9, text: '' })).toBe(null)
})

test('a request that nobody knows is asked about, and can be refused', () => {
  const { question, options, ref = '' } = asking('some/new/request', { a: 1 })
  expect(question).toContain('some/new/request')
  expect(options).toEqual(['Refuse'])
  const answer = lines.answer({ ref, question, options }, { option: 0, text: '' })
  expect(parse(answer)).toMatchObject([{ id: 7, error: { code: -32601 } }])
})

test('a ref that is not ours is answered with nothing', () => {
  for (const ref of ['', '{}', 'x', '[1]'])
    expect(lines.answer({ ref, question: '', options: [] }, { option: 0, text: '' })).toBe(null)
})

test('a helper of Codex neither ends our turn nor is of our session, unless it asks', () => {
  const turn = { id: 'a', rootTurnId: 'b', status: 'completed', items: [] }
  const line = JSON.stringify({ method: 'turn/completed', params: { threadId: 'other', turn } })
  expect(codexDriver.readEvent(line)).toEqual([])
  expect(codexDriver.isOf!(line, ID)).toBe(false)
  expect(codexDriver.isOf!(JSON.stringify({ id: 1, method: 'x', params: { threadId: 'other' } }), ID)).toBe(
    true,
  )
  expect(codexDriver.isOf!('no json', ID)).toBe(true)
})

test('a refused thread is the end, a refused remark only a note', () => {
  const error = { code: -32600, message: 'no rollout found for thread id x' }
  expect(read({ id: 'thread', error })).toMatchObject([{ kind: 'finished', ok: false, failure: 'permanent' }])
  expect(read({ id: 'steer', error })).toMatchObject([{ kind: 'note' }])
})
