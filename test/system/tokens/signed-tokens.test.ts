import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isHoldfastError } from '../../../src/domain/errors.ts'
import { SignedTokens } from '../../../src/system/tokens/signed-tokens.ts'
import { NOON, RUN_ID, TASK_ID } from '../../builders/ids.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const LIFETIME = 15 * MINUTE

function home() {
  const dir = tempDir()
  const clock = { wall: NOON, now: () => clock.wall }
  const keyFile = join(dir, 'token-keys.json')
  const open = (over = {}) => new SignedTokens({ keyFile, clock, lifetimeMs: LIFETIME, home: 'a', ...over })
  const keys = () => (JSON.parse(readFileSync(keyFile, 'utf8')) as { keys: { id: string }[] }).keys
  return { clock, keyFile, open, keys, tokens: open() }
}

const refusal = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    if (isHoldfastError(error)) return error.code
    throw error
  }
  return 'taken'
}

test('a token says which run and task it was issued for, and until when', async () => {
  const { tokens } = home()
  const { text, expires } = await tokens.issue(RUN_ID, TASK_ID)
  expect(tokens.read(text)).toEqual({
    run: RUN_ID,
    task: TASK_ID,
    home: 'a',
    issued: NOON,
    expires: NOON + LIFETIME,
  })
  expect(expires).toBe(NOON + LIFETIME)
})

test('a token with any one character changed, removed or added is refused', async () => {
  const { tokens } = home()
  const { text } = await tokens.issue(RUN_ID, TASK_ID)
  const place = fc.integer({ min: 0, max: text.length - 1 })
  const character = fc.string({ minLength: 0, maxLength: 2, unit: 'grapheme-ascii' })
  fc.assert(
    fc.property(place, character, (at, other) => {
      const forged = text.slice(0, at) + other + text.slice(at + 1)
      fc.pre(forged !== text)
      expect(refusal(() => tokens.read(forged))).toBe('TOKEN_INVALID')
    }),
    { numRuns: 2000 },
  )
})

test('no text at all is taken for a token', () => {
  const { tokens } = home()
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((rest) => `hfr1.${rest}`),
      ),
      (text) => {
        expect(refusal(() => tokens.read(text))).toBe('TOKEN_INVALID')
      },
    ),
  )
})

test('every last character of a signature but the right one is refused, though some stand for the same bytes', async () => {
  const { tokens } = home()
  const { text } = await tokens.issue(RUN_ID, TASK_ID)
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_='
  const taken = [...letters].filter((letter) => {
    return refusal(() => tokens.read(text.slice(0, -1) + letter)) === 'taken'
  })
  expect(taken).toEqual([text.at(-1)])
})

test('a token of another home is refused, also where its key was copied', async () => {
  const one = home()
  const { text } = await one.tokens.issue(RUN_ID, TASK_ID)
  expect(refusal(() => home().tokens.read(text))).toBe('TOKEN_INVALID')
  expect(refusal(() => one.open({ home: 'b' }).read(text))).toBe('TOKEN_INVALID')
})

test('the next daemon of a home takes the tokens of the one before', async () => {
  const { tokens, open } = home()
  const { text } = await tokens.issue(RUN_ID, TASK_ID)
  expect(open().read(text).run).toBe(RUN_ID)
})

test('after a day another key signs; what the old one signed stays valid until its tokens have expired', async () => {
  const { clock, tokens, keys } = home()
  clock.wall = NOON + DAY - 1
  await home().tokens.issue(RUN_ID, TASK_ID)
  clock.wall = NOON
  await tokens.issue(RUN_ID, TASK_ID)
  clock.wall = NOON + DAY - MINUTE
  const old = await tokens.issue(RUN_ID, TASK_ID)
  clock.wall = NOON + DAY
  const fresh = await tokens.issue(RUN_ID, TASK_ID)
  expect(fresh.text.split('.')[1]).not.toBe(old.text.split('.')[1])
  expect(tokens.read(old.text).run).toBe(RUN_ID)
  expect(keys()).toHaveLength(2)
  clock.wall = NOON + 2 * DAY
  await tokens.issue(RUN_ID, TASK_ID)
  expect(refusal(() => tokens.read(old.text))).toBe('TOKEN_INVALID')
  expect(tokens.read(fresh.text).run).toBe(RUN_ID)
})

test.each([
  ['forward by a year', 365 * DAY],
  ['back by a year', -365 * DAY],
])('when the clock is set %s, there is another key, and tokens are issued and read', async (_, jump) => {
  const { clock, tokens, keys } = home()
  await tokens.issue(RUN_ID, TASK_ID)
  const [first] = keys()
  clock.wall = NOON + jump
  const { text, expires } = await tokens.issue(RUN_ID, TASK_ID)
  expect(keys()[0]).not.toEqual(first)
  expect(expires).toBe(NOON + jump + LIFETIME)
  expect(tokens.read(text).run).toBe(RUN_ID)
})

test('only we can read the keys; a file that others can read is not used any more', async () => {
  const { keyFile, tokens, open } = home()
  const { text } = await tokens.issue(RUN_ID, TASK_ID)
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  chmodSync(keyFile, 0o644)
  expect(refusal(() => open().read(text))).toBe('TOKEN_INVALID')
})

test.each(['', '{', '{"keys":1}', '{"keys":[{"id":"x","secret":"","made":1,"retired":null}]}', 'null'])(
  'a key file with %o is replaced',
  async (content) => {
    const { keyFile, open, keys } = home()
    writeFileSync(keyFile, content, { mode: 0o600 })
    const tokens = open()
    const { text } = await tokens.issue(RUN_ID, TASK_ID)
    expect(tokens.read(text).run).toBe(RUN_ID)
    expect(keys()).toHaveLength(1)
  },
)
