import { expect, test } from 'vitest'
import { claudeDriver } from '../../../src/agents/claude/driver.ts'

test.each([
  ['No conversation found with session ID: 00000000-0000-4000-8000-000000000000', 'permanent'],
  ['Error: Invalid session ID. Must be a valid UUID.', 'permanent'],
  ['Error: Session ID aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee is already in use.', 'permanent'],
  ["error: unknown option '--nope'\n(Did you mean --name?)", 'permanent'],
  ["error: option '--permission-mode <mode>' argument 'nope' is invalid.", 'permanent'],
  ['Error: Invalid MCP configuration:\nMCP config file not found: /x.json', 'permanent'],
  ['Error: Append system prompt file not found: /nowhere', 'permanent'],
  ['--dangerously-skip-permissions cannot be used with root/sudo privileges', 'permanent'],
  ['Not logged in · Please run /login', 'permanent'],
  ['Credit balance is too low', 'permanent'],
  ['You’ve hit your weekly limit · resets Oct 9 at 5pm', 'limit'],
  ['5-hour limit reached ∙ resets 3pm', 'limit'],
  ['Error: getaddrinfo ENOTFOUND api.anthropic.com', 'environment'],
  ['connect ECONNREFUSED 127.0.0.1:9', 'environment'],
  ["ENOSPC: no space left on device, write '/home/user/.claude/x'", 'environment'],
  ['API Error: Repeated 529 Overloaded errors.', 'transient'],
  ['TypeError: x is not a function\n    at y (cli.js:529:401)', 'crash'],
  ['', 'crash'],
])('stderr %j is %s', (text, failure) => expect(claudeDriver.readStderr(text)).toBe(failure))

test('the end of a long stderr tells', () => {
  const noise = 'error: unknown option\n'.repeat(100_000)
  expect(claudeDriver.readStderr(`${noise}${'x'.repeat(30_000)}\nconnect ECONNREFUSED`)).toBe('environment')
})
