import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FileWebKeys } from '../../../src/system/web/file-web-keys.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { TestClock } from '../../helpers/test-clock.ts'

function open() {
  const clock = new TestClock()
  const path = join(tempDir(), 'web-keys.json')
  const again = () => new FileWebKeys({ path, clock })
  return { clock, path, keys: again(), again }
}

test('a code works once, and for two minutes', async () => {
  const { clock, keys } = open()
  const { code } = keys.newCode('ada')
  expect(await keys.redeem('other')).toBeUndefined()
  expect(await keys.redeem(code)).toMatchObject({ name: 'ada' })
  expect(await keys.redeem(code)).toBeUndefined()
  const late = keys.newCode('ada')
  clock.advance(2 * 60_000)
  expect(await keys.redeem(late.code)).toBeUndefined()
})

test('a cookie is known to the next daemon, for thirty days; a code is not', async () => {
  const { clock, keys, again } = open()
  const { secret = '' } = (await keys.redeem(keys.newCode('ada').code)) ?? {}
  const { code } = keys.newCode('ada')
  const next = again()
  expect(next.passOf('page', secret)).toMatchObject({ kind: 'page', name: 'ada' })
  expect(next.passOf('token', secret)).toBeUndefined()
  expect(await next.redeem(code)).toBeUndefined()
  clock.advance(30 * 86_400_000)
  expect(next.passOf('page', secret)).toBeUndefined()
})

test('links that are opened at the same moment are all kept', async () => {
  const { keys, again } = open()
  const codes = Array.from({ length: 20 }, () => keys.newCode('ada').code)
  const opened = await Promise.all(codes.map((code) => keys.redeem(code)))
  const next = again()
  for (const one of opened) expect(next.passOf('page', one?.secret ?? '')).toBeDefined()
  expect(await next.revokePages()).toBe(20)
  expect(again().passOf('page', opened[0]?.secret ?? '')).toBeUndefined()
})

test('an expired token makes room for a new one of its name', async () => {
  const { clock, keys } = open()
  const { secret } = await keys.makeToken('ci', 'ada', clock.now() + 1000)
  await expect(keys.makeToken('ci', 'ada', null)).rejects.toMatchObject({ code: 'WEB_TOKEN_EXISTS' })
  clock.advance(1000)
  expect(keys.passOf('token', secret)).toBeUndefined()
  await keys.makeToken('ci', 'ada', null)
  expect(keys.tokens()).toMatchObject([{ name: 'ci', expiresAt: null }])
})

test('a file that others could write, or that makes no sense, lets nobody in', async () => {
  const { path, keys, again } = open()
  const { secret } = await keys.makeToken('ci', 'ada', null)
  const good = readFileSync(path, 'utf8')
  expect(again().passOf('token', secret)).toBeDefined()
  chmodSync(path, 0o640)
  expect(again().passOf('token', secret)).toBeUndefined()
  chmodSync(path, 0o600)
  writeFileSync(path, good.slice(0, 40))
  expect(again().passOf('token', secret)).toBeUndefined()
})

test('a token that is asked for again with its key is the same one, with the same secret, also for the next daemon', async () => {
  const { path, keys, again } = open()
  const key = { createdBy: 'ada', route: 'POST /api/web/tokens', key: 'k-of-the-request', digest: 'd' }
  const made = await keys.makeToken('ci', 'ada', null, key)
  expect(made.isNew).toBe(true)
  expect(await again().makeToken('ci', 'ada', null, key)).toEqual({ ...made, isNew: false })
  expect(keys.tokens()).toHaveLength(1)
  expect(again().passOf('token', made.secret)).toMatchObject({ name: 'ci' })
  const other = keys.makeToken('ci', 'ada', null, { ...key, digest: 'other' })
  await expect(other).rejects.toMatchObject({ code: 'KEY_REUSED' })
  const bobs = keys.makeToken('ci', 'bob', null, { ...key, createdBy: 'bob' })
  await expect(bobs).rejects.toMatchObject({ code: 'WEB_TOKEN_EXISTS' })
  for (const secret of [made.secret, key.key]) expect(readFileSync(path, 'utf8')).not.toContain(secret)
  await keys.revokeToken('ci')
  expect((await keys.makeToken('ci', 'ada', null, key)).secret).not.toBe(made.secret)
})
