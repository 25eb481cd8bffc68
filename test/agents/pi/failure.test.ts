import { expect, test } from 'vitest'
import { classOfError, classOfWords, limitEnd } from '../../../src/agents/pi/failure.ts'

test.each([
  ['401: {"type":"invalid_request_error","code":"invalid_api_key","message":"no"}', 'permanent'],
  ['OpenAI API error (403): {"message":"forbidden"}', 'permanent'],
  ['404 {"type":"error","error":{"type":"not_found_error","message":"model: nope"}}', 'permanent'],
  ['429: {"code":"insufficient_quota","message":"check your plan"}', 'permanent'],
  ['400 Your credit balance is too low to access the API.', 'permanent'],
  ['429: {"type":"rate_limit_exceeded"}', 'limit'],
  ['{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}', 'limit'],
  ['You’ve hit your usage limit. Try again in ~12 min.', 'limit'],
  ['Throttling error: Too many tokens, please wait before trying again.', 'limit'],
  ['500: {"message":"scripted error 500"}', 'transient'],
  ['529 {"type":"overloaded_error"}', 'transient'],
  ['OpenAI API error (503): upstream connect error', 'transient'],
  ['Connection error.', 'transient'],
  ['terminated', 'transient'],
  ['getaddrinfo ENOTFOUND api.example.com', 'environment'],
  ['connect ECONNREFUSED 127.0.0.1:11434', 'environment'],
  ['ENOSPC: no space left on device, write', 'environment'],
  ['prompt is too long: 213462 tokens > 200000 maximum', 'crash'],
  ['', 'crash'],
])('the error %s is %s', (text, failure) => {
  expect(classOfError(text)).toBe(failure)
})

test.each([
  ["No session found matching '00000000-0000-4000-8000-000000000000'", 'permanent'],
  ['Session found in different project: /home/user/other\nAborted.', 'permanent'],
  ['Stored session working directory does not exist: /home/user/gone', 'permanent'],
  ['Error: Model "nosuch" not found. Use --list-models to see available models.', 'permanent'],
  ['Error: Unknown option: --session-id', 'permanent'],
  ['No API key found for the selected model.\n\nUse /login to log into a provider', 'permanent'],
  ['No models available. Use /login to log into a provider', 'permanent'],
  ['Error: ENOSPC: no space left on device, write', 'environment'],
  ["Warning: No project session found with id 'x'; creating a new session with that id.", 'crash'],
  ['TypeError: x is not a function', 'crash'],
])('stderr %s is %s', (text, failure) => {
  expect(classOfWords(text)).toBe(failure)
})

test('a number that only looks like a status or a time is none', () => {
  expect(classOfError('line 500 is odd: 5031')).toBe('crash')
  expect(limitEnd('"resets_at":17947717931794771793', 0)).toBeNull()
  expect(limitEnd('try again in ~5 min', null)).toBeNull()
})
