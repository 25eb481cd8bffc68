import { expect, test } from 'vitest'
import { verifyEnv } from '../../../src/domain/verify/environment.ts'

test('commands of a contract get what programs need, and what a person set', () => {
  const env = {
    PATH: '/bin',
    HOME: '/home/u',
    LANG: 'C.UTF-8',
    TERM: 'xterm',
    NODE_ENV: 'test',
    GIT_AUTHOR_NAME: 'U',
    https_proxy: 'http://proxy:3128',
    HOMEPAGE: 'https://host?by=u@host',
    TEST_DATABASE: 'postgres://postgres@localhost/test',
    ORIGIN: 'ssh://git@host/repo',
  }
  expect(verifyEnv(env, [])).toEqual(env)
})

test.each([
  ['GITHUB_TOKEN', 'x'],
  ['api_key', 'x'],
  ['AWS_SECRET_ACCESS_KEY', 'x'],
  ['DB_PASSWORD', 'x'],
  ['GOOGLE_APPLICATION_CREDENTIALS', '/key.json'],
  ['SSH_AUTH_SOCK', '/tmp/agent'],
  ['AUTHORIZATION', 'x'],
  ['HTTP_AUTHORISATION', 'x'],
  ['ORIGIN', 'git+https://x0ken@host/repo'],
  ['NPM_REGISTRY', 'HTTPS://x0ken@host'],
  ['DATABASE_URL', 'postgres://u:hunter2@host/db'],
  ['https_proxy', 'http://u:hunter2@proxy:3128'],
  ['ANTHROPIC_BASE_URL', 'http://x'],
  ['CODEX_HOME', '/x'],
])('%s=%s does not reach them', (name, value) => {
  expect(verifyEnv({ PATH: '/bin', [name]: value }, ['ANTHROPIC_*', 'CODEX_HOME'])).toEqual({ PATH: '/bin' })
})
