import { expect, test } from 'vitest'
import { codexDriver } from '../../../src/agents/codex/driver.ts'
import { codexFailure } from '../../../src/agents/codex/failure.ts'

test.each([
  ["You've hit your usage limit. Try again later.", 'limit'],
  ['exceeded retry limit, last status: 429 Too Many Requests', 'limit'],
  ['We’re currently experiencing high demand, which may cause temporary errors.', 'transient'],
  ['Selected model is at capacity. Please try a different model.', 'transient'],
  ['exceeded retry limit, last status: 503 Service Unavailable', 'transient'],
  ['unexpected status 502 Bad Gateway: please sign in, url: http://x', 'transient'],
  ['stream disconnected before completion: idle timeout waiting for SSE', 'transient'],
  ['unexpected status 401 Unauthorized: high demand, url: http://x', 'permanent'],
  ['unexpected status 404 Not Found: The model `x` does not exist, url: http://x', 'permanent'],
  ['Quota exceeded. Check your plan and billing details.', 'permanent'],
  ['Your workspace is out of credits. Add credits to continue.', 'permanent'],
  ['Your access token could not be refreshed. Please log out and sign in again.', 'permanent'],
  ['{"detail":"The \'x\' model is not supported when using Codex with a ChatGPT account."}', 'permanent'],
  ["Codex ran out of room in the model's context window.", 'permanent'],
  ['Connection failed: error sending request', 'environment'],
  ['URL error: Proxy connection failed: HTTP CONNECT failed with status 403', 'environment'],
  ['stream disconnected before completion: No space left on device (os error 28)', 'environment'],
  ['internal error; agent loop died unexpectedly', 'crash'],
  ['', 'crash'],
])('%j is %s', (message, failure) => expect(codexFailure(message)).toBe(failure))

test.each([
  ["error: unexpected argument '--nope' found\n\nUsage: codex exec", 'permanent'],
  ["error: invalid value 'nope' for '--sandbox <SANDBOX_MODE>'", 'permanent'],
  ['Error loading config.toml: unknown variant `nope`', 'permanent'],
  ['Error: thread/resume: thread/resume failed: no rollout found for thread id 0 (code -32600)', 'permanent'],
  ['Reading prompt from stdin...\nNo prompt provided via stdin.\n', 'permanent'],
  ['Error: error sending request: dns error: failed to lookup address information', 'environment'],
  ['Error: No space left on device (os error 28)', 'environment'],
  ['ERROR codex_core::session: failed to record rollout items: thread 0 not found', 'crash'],
  ["thread 'main' panicked at core/src/lib.rs:1:1", 'crash'],
  ['', 'crash'],
])('a run that left only %j on stderr: %s', (text, failure) => {
  expect(codexDriver.readStderr(text)).toBe(failure)
})

test('the end of a long stderr tells', () => {
  expect(codexDriver.readStderr(`${'noise\n'.repeat(1_000_000)}Error: (os error 28)`)).toBe('environment')
})
