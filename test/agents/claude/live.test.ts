import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { claudeDriver } from '../../../src/agents/claude/driver.ts'
import type { AgentSays, Answer } from '../../../src/ports/run/agent-driver.ts'

const folder = new URL('../../fixtures/events/claude/', import.meta.url)
const says = (name: string) =>
  readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
    .trim()
    .split('\n')
    .flatMap(claudeDriver.readEvent)
const lines = claudeDriver.lines!

const isAsked = (said: AgentSays) => said.kind === 'asked'
const questions = [...says('live-allowed-and-denied'), ...says('live-question-and-plan')].filter(isAsked)
const [command, , colour, file] = questions.map(({ ref = '', ...said }) => ({ ...said, ref }))

/** What the answer's line carries for the tool. */
const answer = (asked = command!, given: Partial<Answer>) => {
  const line = lines.answer(asked, { option: null, text: '', ...given })
  return line && JSON.parse(line).response.response
}

test('a prompt is one line, named by its ref', () => {
  const line = lines.prompt({ ref: 'hf-1', text: 'a\n"b"\u2028', session: null })!
  expect(line.indexOf('\n')).toBe(line.length - 1)
  const message = { role: 'user', content: 'a\n"b"\u2028' }
  expect(JSON.parse(line)).toEqual({ type: 'user', uuid: 'hf-1', message })
})

test('recorded: heard, asked, answered, ended, one turn after the other', () => {
  const kinds = says('live-allowed-and-denied').map(({ kind }) => kind)
  const turn = ['heard', 'session', 'tool_began', 'asked', 'answered', 'tool_ended', 'said']
  expect(kinds).toEqual([...turn, 'usage', 'finished', ...turn, 'note', 'usage', 'finished'])
  expect(says('live-question-and-plan').map(({ kind }) => kind)).not.toContain('unknown')
})

test('a permission names command and options; more than this once ends with the session', () => {
  expect(command).toMatchObject({
    question: 'Allow Bash?\ntouch a.txt',
    options: [
      'Allow',
      'Allow, and until the session ends also allow Bash(touch a.txt)',
      'Allow, and until the session ends also allow work in /home/user/project',
      'Allow, and until the session ends also allow all that mode acceptEdits allows',
      'Deny',
    ],
  })
  expect(file?.question).toBe('Allow Write?\n/home/user/project/w.txt')
})

test('each option is its own answer', () => {
  const rules = [{ toolName: 'Bash', ruleContent: 'touch a.txt' }]
  const grant = { type: 'addRules', rules, behavior: 'allow', destination: 'session' }
  expect(answer(command, { option: 0 })).toEqual({ behavior: 'allow' })
  expect(answer(command, { option: 1 })).toEqual({ behavior: 'allow', updatedPermissions: [grant] })
  expect(answer(command, { option: 4 })).toMatchObject({ behavior: 'deny' })
  expect(answer(command, { text: 'Not now.' })).toEqual({ behavior: 'deny', message: 'Not now.' })
})

test('a question is answered by an option or in words', () => {
  expect(colour).toMatchObject({ question: 'Which colour?', options: ['Red', 'Blue'] })
  const answers = (given: Partial<Answer>) => answer(colour, given)?.updatedInput.answers
  expect(answers({ option: 1 })).toEqual({ 'Which colour?': 'Blue' })
  expect(answers({ text: 'Green' })).toEqual({ 'Which colour?': 'Green' })
})

test.each<[Partial<Answer>]>([[{ option: 5 }], [{ option: -1 }], [{ text: ' ' }]])(
  'no permission is answered by %j',
  (given) => expect(answer(command, given)).toBeNull(),
)

test.each(['', '{}', 'null', '{"id":7}'])('a ref that is not ours, %j, takes no answer', (ref) => {
  expect(lines.answer({ ref, question: '', options: ['Allow', 'Deny'] }, { option: 0, text: '' })).toBeNull()
})

test('a request that is withdrawn is settled', () => {
  const line = JSON.stringify({ type: 'control_cancel_request', request_id: 'r' })
  expect(claudeDriver.readEvent(line)).toEqual([{ kind: 'answered', answer: 'withdrawn' }])
})

test('grants that we do not know are not offered', () => {
  const permission_suggestions = [
    { type: 'conquerTheWorld' },
    7,
    null,
    { type: 'addRules', behavior: 'deny' },
  ]
  const request = { subtype: 'can_use_tool', tool_name: 'X', input: {}, permission_suggestions }
  const [asked] = claudeDriver.readEvent(
    JSON.stringify({ type: 'control_request', request_id: 'r', request }),
  )
  expect(asked).toMatchObject({ options: ['Allow', 'Deny'] })
})
