import { expect, test } from 'vitest'
import { claudeDriver } from '../../../src/agents/claude/driver.ts'
import { accountOf } from '../../../src/domain/run/account.ts'

const account = (env: Record<string, string>) =>
  accountOf('claude', { HOME: '/home/me', ...env }, claudeDriver.ownEnv)

test.each([
  ['another key', { ANTHROPIC_API_KEY: 'b' }],
  ['another server', { ANTHROPIC_API_KEY: 'a', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }],
  ['another configuration', { ANTHROPIC_API_KEY: 'a', CLAUDE_CONFIG_DIR: '/other' }],
  ['another home', { ANTHROPIC_API_KEY: 'a', HOME: '/home/you' }],
])('with %s it is another account: its limit holds nobody else', (_, env) => {
  expect(account(env as Record<string, string>)).not.toBe(account({ ANTHROPIC_API_KEY: 'a' }))
})

test('the same login is the same account, in whatever order it is told and whatever else is set', () => {
  const one = account({ ANTHROPIC_API_KEY: 'a', ANTHROPIC_BASE_URL: 'u', PATH: '/bin' })
  expect(account({ PATH: '/usr/bin', ANTHROPIC_BASE_URL: 'u', ANTHROPIC_API_KEY: 'a' })).toBe(one)
})

test('no key can be read from it', () => {
  expect(account({ ANTHROPIC_API_KEY: 'a-secret' })).toMatch(/^claude-[0-9a-f]{12}$/)
})
