import { expect, test } from 'vitest'
import { type Asked, fieldOf, NOTHING_ASKED, taskOf } from '../../web/src/screens/new-task/asked.ts'

const asked: Asked = { ...NOTHING_ASKED, prompt: 'Fix the login test', dir: '/code/shop' }

test('of an empty form only the prompt, the directory and the mode are sent: the role and the settings decide the rest', () => {
  expect(taskOf(asked)).toEqual({ prompt: 'Fix the login test', dir: '/code/shop', mode: 'headless' })
})

test('what is chosen is sent as it is', () => {
  const chosen = {
    role: 'reviewer',
    agent: 'codex',
    mode: 'interactive',
    permissions: 'edit',
    title: 'Login',
  } as const
  expect(taskOf({ ...asked, ...chosen })).toEqual({ prompt: asked.prompt, dir: asked.dir, ...chosen })
})

test('a contract is one check a line, as --verify reads it; a line without a prefix is a command', () => {
  const contract = '\n  cmd: npm test \nfile:report.md\r\n\nnpm run lint -- a:b\n'
  expect(taskOf({ ...asked, contract }).verify).toEqual([
    { command: 'npm test' },
    { file: 'report.md' },
    { command: 'npm run lint -- a:b' },
  ])
})

test.each([
  ['PROMPT_EMPTY', 'prompt'],
  ['PROMPT_TOO_LARGE', 'prompt'],
  ['WORKSPACE_NOT_ALLOWED', 'dir'],
  ['DIRECTORY_NOT_FOUND', 'dir'],
  ['ROLE_NOT_FOUND', 'role'],
  ['AGENT_NOT_INSTALLED', 'agent'],
  ['AGENT_CANNOT', 'agent'],
  ['VERIFY_INVALID', 'contract'],
  ['STORE_LOCKED', undefined],
  [null, undefined],
] as const)('a refusal as %s belongs to the field %s', (code, field) => expect(fieldOf(code)).toBe(field))
