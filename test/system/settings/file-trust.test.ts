import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { contentHash } from '../../../src/domain/text/content-hash.ts'
import { fileTrust } from '../../../src/system/settings/file-trust.ts'
import { loadConfig, settingsToApprove } from '../../../src/system/settings/load-config.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const [one, two] = ['a'.repeat(64), 'b'.repeat(64)] as const

test('an approval is for one file with one content, and a later one takes its place', async () => {
  const trust = fileTrust(join(tempDir(), 'not/there/yet'))
  expect(await trust.approval('/p/file', one)).toBe('new')
  await trust.approve('/p/file', one, 'me')
  expect(await trust.approval('/p/file', one)).toBe('approved')
  expect(await trust.approval('/p/file', two)).toBe('changed')
  expect(await trust.approval('/other/file', one)).toBe('new')
  await trust.approve('/p/file', two, 'me')
  expect(await trust.approval('/p/file', one)).toBe('changed')
})

test('only its owner can read it, and it says who approved what, and when', async () => {
  const dir = tempDir()
  await fileTrust(dir).approve('/p/file', one, 'me@pts/1')
  const [name] = readdirSync(join(dir, 'trusted'))
  const file = join(dir, 'trusted', name!)
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    file: '/p/file',
    sha256: one,
    by: 'me@pts/1',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

test('many approvals at once are all kept', async () => {
  const trust = fileTrust(tempDir())
  const files = Array.from({ length: 20 }, (_, index) => `/p/${index}`)
  await Promise.all(files.map((file) => trust.approve(file, one, 'me')))
  for (const file of files) expect(await trust.approval(file, one)).toBe('approved')
})

test('a directory is found also with a slash at its end, and so is the root', async () => {
  const trust = fileTrust(tempDir())
  for (const file of ['/p/a', '/p/b', '/q']) await trust.approve(file, one, 'me')
  expect(await trust.revoke('/p/a/')).toEqual(['/p/a'])
  expect(await trust.revoke('/p//')).toEqual(['/p/b'])
  expect(await trust.revoke('/')).toEqual(['/q'])
})

test('a directory is revoked with all below it, and nothing beside it', async () => {
  const trust = fileTrust(tempDir())
  expect(await trust.revoke('/p')).toEqual([])
  for (const file of ['/p/b', '/p/a/c', '/p2/d', '/p']) await trust.approve(file, one, 'me')
  expect(await trust.revoke('/p/b')).toEqual(['/p/b'])
  expect(await trust.revoke('/p')).toEqual(['/p', '/p/a/c'])
  expect(await trust.approval('/p/a/c', one)).toBe('new')
  expect(await trust.approval('/p2/d', one)).toBe('approved')
})

test.each([
  ['half a file', '{"file": "/p/f'],
  ['another kind of JSON', '[1]'],
  ['no JSON', 'null'],
  ['the record of another file', JSON.stringify({ file: '/p/other', sha256: one })],
])('%s is no approval', async (_, content) => {
  const dir = tempDir()
  mkdirSync(join(dir, 'trusted'))
  writeFileSync(join(dir, 'trusted', `${contentHash('/p/f')}.json`), content)
  expect(await fileTrust(dir).approval('/p/f', one)).toBe('new')
})

test('a link in the place of an approval is none', async () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'trusted'))
  writeFileSync(join(dir, 'mine.json'), JSON.stringify({ file: '/p/f', sha256: one }))
  symlinkSync('../mine.json', join(dir, 'trusted', `${contentHash('/p/f')}.json`))
  expect(await fileTrust(dir).approval('/p/f', one)).toBe('new')
})

test('settings of a project count when their content is approved, and no longer when it changes', async () => {
  const [userDir, project] = [tempDir(), tempDir()]
  const file = join(project, '.holdfast/config.yaml')
  mkdirSync(dirname(file))
  const write = (text: string) => writeFileSync(file, text)
  expect(await settingsToApprove(userDir, project)).toBeUndefined()
  write('create.maxDuration: 5m\n')
  expect(await settingsToApprove(userDir, project)).toBeUndefined()
  write('create.maxDuration: 2h\nagents: {mender: {argv: [mender]}}\n')
  const claim = (await settingsToApprove(userDir, project))!
  expect(claim).toEqual({
    file,
    sha256: contentHash(readFileSync(file)),
    approval: 'new',
    allows: ['create.maxDuration: 2h', 'agents.mender.argv: mender'],
  })
  await expect(loadConfig(userDir, project)).rejects.toMatchObject({ code: 'NOT_TRUSTED' })
  await fileTrust(userDir).approve(file, claim.sha256, 'me')
  expect((await loadConfig(userDir, project)).config['create.maxDuration']).toBe(7_200_000)
  write('create.maxDuration: 3h\n')
  expect(await settingsToApprove(userDir, project)).toMatchObject({ approval: 'changed' })
  await expect(loadConfig(userDir, project)).rejects.toThrow('changed since it was approved')
})
