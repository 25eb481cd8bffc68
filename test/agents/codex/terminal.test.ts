import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codexDriver } from '../../../src/agents/codex/driver.ts'
import type { LaunchRequest } from '../../../src/ports/run/agent-driver.ts'
import { reading } from '../../../src/ports/run/screen.ts'
import { aRequest } from '../a-request.ts'

const ID = '01a1e084-122f-7c60-a117-f9762ca036cf'
const STATUS_LINE = 'tui.status_line=["thread-id","model-with-reasoning","current-dir"]'
const argv = (more: Partial<LaunchRequest> = {}) =>
  codexDriver.launch(
    aRequest({ mode: 'interactive', prompt: 'never in argv', env: { HOME: '/home/user' }, ...more }),
  ).argv
const choose = (text: string, options: string[], option: number | null) =>
  codexDriver.keys!.choose(reading('asking', text, { question: { text, options } }), { option, text: '' })

test('its interface starts without the daemon and without a prompt', () => {
  const begins = ['codex', '--no-daemon', '-C', '/home/user/project']
  expect(argv()).toEqual([...begins, '-c', STATUS_LINE])
  expect(argv({ resume: ID })).toEqual([...begins, '-c', STATUS_LINE, 'resume', ID])
})

test("the user's own status line stays", () => {
  const peek = (path: string) =>
    path === '/home/user/.codex/config.toml' ? '[tui]\nstatus_line = ["model"]\n' : undefined
  expect(argv({ peek })).not.toContain(STATUS_LINE)
})

test('only who asked for full has trusted the folder', () => {
  const trust = 'projects={"/home/user/project"={"trust_level"="trusted"}}'
  expect(argv({ permission: 'full' })).toContain(trust)
  for (const permission of ['default', 'read', 'edit'] as const)
    expect(argv({ permission }).join(' ')).not.toContain('trust_level')
})

test('with edit it asks a person, not a model', () => {
  const edit = argv({ permission: 'edit' })
  expect(edit).toContain('approval_policy="on-request"')
  expect(edit).toContain('approvals_reviewer="user"')
})

test('a number takes its option; where it does not, or nobody knows, no key is guessed', () => {
  const command = 'Would you like to run the following command?\n$ x'
  expect(choose(command, ['Yes', 'No'], 1)).toEqual(['2'])
  expect(choose('Trust this folder? …', ['Trust and continue', 'Quit'], 0)).toEqual(['1', 'Enter'])
  expect(choose('Trust this folder? …', ['Trust and continue', 'Quit'], 1)).toEqual(['2'])
  expect(choose('Hooks need review', ['Review hooks', 'Trust all and continue'], 0)).toBe(null)
  expect(choose('Select Model', ['a', 'b'], 0)).toBe(null)
  expect(choose(command, ['Yes', 'No'], 2)).toBe(null)
  expect(choose(command, ['Yes', 'No'], null)).toBe(null)
})

const screen = (name: string) =>
  readFileSync(new URL(`../../fixtures/screens/codex/${name}.txt`, import.meta.url), 'utf8')

test('the session is read from where Codex writes it, not from what was said', () => {
  const idle = screen('idle--new-session')
  expect(codexDriver.readScreen({ text: idle }).session).toBe(undefined)
  const said = `• codex resume ${ID}\n\n${idle}`
  expect(codexDriver.readScreen({ text: said }).session).toBe(undefined)
  expect(codexDriver.readScreen({ text: screen('exited--no-daemon') }).session).toMatch(
    codexDriver.sessionIdPattern,
  )
})

test('the status line tells the session', () => {
  const { session } = codexDriver.readScreen({ text: screen('idle--with-session') })
  expect(session).toBe('01a1e1ac-e8f0-7422-9037-94e840143247')
})

test.each([
  ['asking--question', 'Question 1/1 (1 unanswered)\nWhich color?', ['Red', 'Blue', 'None of the above']],
  [
    'asking--server-tool',
    'Field 1/1\nAllow the own MCP server to run tool "lab_ping"?',
    ['Allow', 'Allow for this session', 'Always allow', 'Cancel'],
  ],
])('%s: each option can be chosen by its number', (name, text, options) => {
  const asking = codexDriver.readScreen({ text: screen(name) })
  expect(asking.question?.text).toBe(text)
  expect(asking.question?.options.map((option) => option.split('  ')[0])).toEqual(options)
  const keys = options.map((_, option) => codexDriver.keys!.choose(asking, { option, text: '' }))
  expect(keys).toEqual(options.map((_, at) => [String(at + 1)]))
})
