import { expect, test } from 'vitest'
import { redactDeep, redactSecrets } from '../../../src/domain/text/redact-secrets.ts'

test.each([
  ['key sk-ant-api03-abcdefghijklmnop used', 'key [redacted] used'],
  ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', '[redacted]'],
  ['AKIAABCDEFGHIJKLMNOP', '[redacted]'],
  ['a run is hfr1.0011.claims.signature here', 'a run is [redacted] here'],
  [`a program is hft1.${'aB3-_'.repeat(8)} here`, 'a program is [redacted] here'],
  ['it is eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl here', 'it is [redacted] here'],
  ['session-eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl', 'session-[redacted]'],
  ['?a=b&my.api-key=hunter22&c=d', '?a=b&my.api-key=[redacted]&c=d'],
  ['API_KEY=hunter22', 'API_KEY=[redacted]'],
  ['"token": "hunter22"', '"token": "[redacted]"'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
  ['at postgres://me:hunter2@db/x', 'at postgres://me:[redacted]@db/x'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nok', '[redacted]\nok'],
])('%j keeps its secret', (text, shown) => {
  expect(redactSecrets(text)).toBe(shown)
  expect(redactSecrets(shown)).toBe(shown)
})

test('what is no secret stays as it is', () => {
  const text =
    '3 tests failed: expected token to be valid at src/key.ts:12\nkeyJhbGciOiJI.abcdefgh.abcdefgh\nhttps://example.org/a:b@c'
  expect(redactSecrets(text)).toBe(text)
})

test('a value with secrets anywhere in it keeps its shape', () => {
  const value = {
    a: ['x', 'token=hunter22', { url: 'postgres://me:hun@ter2@db/x?password=abc&b=1' }],
    n: 1,
    none: null,
  }
  expect(redactDeep(value)).toEqual({
    a: ['x', 'token=[redacted]', { url: 'postgres://me:[redacted]@db/x?password=[redacted]&b=1' }],
    n: 1,
    none: null,
  })
})
