// Texts that an agent or a person chose, made to keep a pattern busy. Where the time grew with the square of their length,
// the longest that is accepted would hold the daemon for seconds or minutes, and these tests for longer than they may take.
import { expect, test } from 'vitest'
import { claudeFailure } from '../../../src/agents/claude/failure.ts'
import { readOpencodeScreen } from '../../../src/agents/opencode/screen.ts'
import { limitedBy } from '../../../src/agents/shared/limited.ts'
import { spokenText } from '../../../src/domain/conversation/spoken-text.ts'
import { parseDuration } from '../../../src/domain/text/duration.ts'
import { redactSecrets } from '../../../src/domain/text/redact-secrets.ts'
import { withMarksQuoted } from '../../../src/domain/trigger/envelope.ts'
import { verifyEnv } from '../../../src/domain/verify/environment.ts'
import { statusInText } from '../../../src/system/verify/status-in-text.ts'

const LENGTH = 1 << 19
const long = (part: string) => part.repeat(Math.ceil(LENGTH / part.length))

/** Each takes some milliseconds. */
const AT_ONCE = { timeout: 5000 }

test.each([
  ['beginnings of a token', long('eyJ-')],
  ['parts of a token', long('abcdefgh.')],
  ['a name with many keys in it', `?${long('key')}`],
  ['many names', long('?key')],
  ['words before a value that never comes', `token${long(' ')}`],
  ['beginnings of a key', long('-----BEGIN PRIVATE ')],
  ['beginnings of an address', long('://a:')],
])('secrets are looked for in %s', AT_ONCE, (_, text) => expect(redactSecrets(text) === text).toBe(true))

test('a prompt of mentions, and one of a single word', AT_ONCE, () => {
  expect(spokenText(`${long('@')} end`)).toBe(`${long('@')} end`)
  expect(spokenText(`${long('a')} @end`)).toBe(`${long('a')} @end `)
})

test('a prompt with a bracket before nothing but blanks', AT_ONCE, () =>
  expect(withMarksQuoted(`[${long(' ')}`)).toBe(`[${long(' ')}`),
)

test('words about a limit that name no time', AT_ONCE, () => {
  const message = long('reset ')
  expect(limitedBy(message)).toEqual({ kind: 'limited', message, untilMs: null })
})

test('a failure that begins to tell of a limit again and again', AT_ONCE, () =>
  expect(claudeFailure(long('hit your '))).toBe('crash'),
)

test.each([
  ['signs of work', long('■')],
  ['beginnings of a retry', `■■■■■■■■ x${long(' [retrying in a')}`],
])('a last line on the screen of %s', AT_ONCE, (_, footer) => {
  const text = `  ┃  ask\n  ┃\n  ┃  Build\n  ╹${'▀'.repeat(20)}\n  ${footer}`
  expect(readOpencodeScreen({ text }).phase).toBe('working')
})

test('the value of an environment variable', AT_ONCE, () =>
  expect(verifyEnv({ VALUE: `://${long(':')}` }, [])).toEqual({ VALUE: `://${long(':')}` }),
)

test('a duration of digits alone', AT_ONCE, () =>
  expect(() => parseDuration(`${long('1')}x`)).toThrow('is not a duration'),
)

test('a file of empty lines, and a status of stars', AT_ONCE, () => {
  expect(statusInText(long('\n'), 'story.md', ['status'])).toBeUndefined()
  expect(statusInText(`Status: ${long('*')}done**`, 'story.md', ['status'])).toBe('done')
  expect(statusInText(`Status: x${long('*')}done`, 'story.md', ['status'])).toBe(`x${long('*')}done`)
})
