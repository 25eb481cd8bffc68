import { expect, test } from 'vitest'
import { opencodeDriver } from '../../../src/agents/opencode/driver.ts'

const opencode = opencodeDriver({ bridge: ['bridge'] })
const log = (message: string) => `timestamp=2026-11-15T22:07:12.791Z level=ERROR run=a4c1f910 ${message}\n`

test.each([
  ['\x1b[91m\x1b[1mError: \x1b[0mSession not found', 'permanent'],
  ['\x1b[91m\x1b[1mError: \x1b[0mConfiguration is invalid at OPENCODE_CONFIG_CONTENT', 'permanent'],
  ['\x1b[91m\x1b[1mError: \x1b[0mFailed to change directory to /gone', 'permanent'],
  ['\x1b[93m\x1b[1m! \x1b[0mpermission requested: bash (ls); auto-rejecting', 'permanent'],
  ['opencode run [message..]\n\nrun opencode with a message\n', 'permanent'],
  [log('message=failed ref=err_4 error="ProviderModelNotFoundError: Model not found: a/b"'), 'permanent'],
  [log('message=failed ref=err_4 error="SQLITE_FULL: database or disk is full"'), 'environment'],
  ['ENOSPC: no space left on device, write', 'environment'],
  ['getaddrinfo ENOTFOUND api.example.com', 'environment'],
  ['\x1b[91m\x1b[1mError: \x1b[0mUnexpected error\n\ndatabase is locked', 'transient'],
  ['Segmentation fault', 'crash'],
  ['', 'crash'],
])('%j on stderr is %s', (text, failure) => expect(opencode.readStderr(text)).toBe(failure))

test('a try that failed and was repeated says nothing about the end', () => {
  expect(opencode.readStderr(log('message="stream error" error.error="AI_APICallError: usage limit"'))).toBe(
    'crash',
  )
})

const failed = (data: object, name = 'APIError') =>
  opencode.readEvent(JSON.stringify({ type: 'error', sessionID: 's', error: { name, data } })).at(-1)

test.each([
  [{ message: 'x', statusCode: 401 }, 'permanent'],
  [{ message: 'x', statusCode: 403 }, 'permanent'],
  [{ message: 'x', statusCode: 404 }, 'permanent'],
  [{ message: 'Your credit balance is too low', statusCode: 400 }, 'permanent'],
  [{ message: 'x', statusCode: 429, responseBody: '{"error":{"code":"insufficient_quota"}}' }, 'permanent'],
  [{ message: 'You’ve reached the rate limit', statusCode: 429 }, 'limit'],
  [{ message: 'Overloaded', statusCode: 529 }, 'transient'],
  [{ message: 'x', statusCode: 408 }, 'transient'],
  [{ message: 'x', statusCode: 400 }, 'crash'],
  [
    { message: 'Cannot connect to API: Unable to connect. Is the computer able to access the url?' },
    'environment',
  ],
  [{ message: 'Connection reset by server', metadata: { code: 'ECONNRESET' } }, 'transient'],
  [{ message: 'x' }, 'crash'],
])('%j is %s', (data, failure) =>
  expect(failed(data)).toMatchObject({ kind: 'finished', ok: false, failure }),
)

test('a provider without a login needs a person', () => {
  expect(failed({ message: 'x' }, 'ProviderAuthError')).toMatchObject({ failure: 'permanent' })
})
