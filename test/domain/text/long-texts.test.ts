// Texts that an agent or a person chose, made to keep a pattern busy. Where the time grew with the square of their length,
// the longest that is accepted would hold the daemon for seconds or minutes, and these tests for longer than they may take.
import { expect, test } from 'vitest'
import { limitedBy } from '../../../src/agents/shared/limited.ts'
import { spokenText } from '../../../src/domain/conversation/spoken-text.ts'
import { parseDuration } from '../../../src/domain/text/duration.ts'
import { redactSecrets } from '../../../src/domain/text/redact-secrets.ts'
import { withMarksQuoted } from '../../../src/domain/trigger/envelope.ts'
import { verifyEnv } from '../../../src/domain/verify/environment.ts'
import { statusInText } from '../../../src/system/verify/status-in-text.ts'

const LENGTH = 1 << 19
const long = (part: string) => part.repeat(Math.ceil(LENGTH / part.length))

test.each([
  ['beginnings of a token', long('eyJ-')],
  ['parts of a token', long('abcdefgh.')],
  ['a name with many keys in it', `?${long('key')}`],
  ['many names', long('?key')],
  ['words before a value that never comes', `token${long(' ')}`],
  ['beginnings of a key', long('-----BEGIN PRIVATE ')],
  ['beginnings of an address', long('://a:')],
])('secrets are looked for in %s', (_, text) => expect(redactSecrets(text) === text).toBe(true))

test('a prompt of mentions, and one of a single word', () => {
  expect(spokenText(`${long('@')} end`)).toBe(`${long('@')} end`)
  expect(spokenText(`${long('a')} @end`)).toBe(`${long('a')} @end `)
})

test('a prompt with a bracket before nothing but blanks', () =>
  expect(withMarksQuoted(`[${long(' ')}`)).toBe(`[${long(' ')}`))

test('words about a limit that name no time', () => {
  const message = long('reset ')
  expect(limitedBy(message)).toEqual({ kind: 'limited', message, untilMs: null })
})

test('the value of an environment variable', () =>
  expect(verifyEnv({ VALUE: `://${long(':')}` }, [])).toEqual({ VALUE: `://${long(':')}` }))

test('a duration of digits alone', () =>
  expect(() => parseDuration(`${long('1')}x`)).toThrow('is not a duration'))

test('a file of empty lines, and a status of stars', () => {
  expect(statusInText(long('\n'), 'story.md', ['status'])).toBeUndefined()
  expect(statusInText(`Status: ${long('*')}done**`, 'story.md', ['status'])).toBe('done')
  expect(statusInText(`Status: x${long('*')}done`, 'story.md', ['status'])).toBe(`x${long('*')}done`)
})
