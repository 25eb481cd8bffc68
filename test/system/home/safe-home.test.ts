import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkHome, checkHomeEntries, makeSafeHome } from '../../../src/system/home/safe-home.ts'
import { unsafeOnPath } from '../../../src/system/home/safe-path.ts'
import { isOwnGroup } from '../../../src/system/home/user-names.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const refused = (home: string) => {
  try {
    checkHome(home)
    return undefined
  } catch (error) {
    return error as Error & { code: string }
  }
}
const isRoot = process.getuid?.() === 0
const asRoot = (context: { skip: (why: string) => void }) => {
  if (!isRoot) context.skip('only root can give a file to another user')
}

test('a home below /tmp that is 0700 and ours is used, and one that is not there yet is made so', () => {
  const home = join(tempDir(), 'h')
  expect(checkHome(home)).toBe(false)
  makeSafeHome(home)
  expect(checkHome(home)).toBe(true)
  expect(statSync(home).mode & 0o777).toBe(0o700)
})

test.each([0o777, 0o770, 0o755, 0o711, 0o701, 0o1777])(
  'a home of mode %o is refused with the chmod line',
  (mode) => {
    const home = join(tempDir(), 'h')
    mkdirSync(home)
    chmodSync(home, mode)
    expect(refused(home)).toMatchObject({
      code: 'HOME_UNSAFE',
      message: expect.stringContaining(`Run: chmod 700 ${home}`),
    })
    chmodSync(home, 0o700)
    expect(refused(home)).toBeUndefined()
  },
)

test('the chmod line can be copied also when the path has blanks and quotes', () => {
  const home = join(tempDir(), "my 'own' $(home)")
  mkdirSync(home)
  chmodSync(home, 0o777)
  expect(refused(home)?.message).toContain(`chmod 700 '${home.replaceAll("'", `'\\''`)}'`)
})

test('a directory on the way that others may write to is refused, a sticky one is not', () => {
  const above = join(tempDir(), 'above')
  const home = join(above, 'deep/h')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  chmodSync(above, 0o777)
  expect(refused(home)).toMatchObject({
    code: 'HOME_UNSAFE',
    message: expect.stringContaining(`${above} can be changed by other users (mode 0777). Run: chmod`),
  })
  chmodSync(above, 0o1777)
  expect(refused(home)).toBeUndefined()
  chmodSync(above, 0o755)
  expect(refused(home)).toBeUndefined()
})

test('a home that does not exist yet is refused below a directory that others may write to', () => {
  const above = join(tempDir(), 'above')
  mkdirSync(above)
  chmodSync(above, 0o777)
  expect(() => makeSafeHome(join(above, 'h'))).toThrow(/can be changed by other users/)
  expect(statSync(join(above, 'h'), { throwIfNoEntry: false })).toBeUndefined()
})

test('a link is followed, and the way to where it leads is looked at as well', () => {
  const root = tempDir()
  const open = join(root, 'open')
  mkdirSync(join(open, 'h'), { recursive: true, mode: 0o700 })
  symlinkSync('open/../open/h', join(root, 'link'))
  expect(refused(join(root, 'link'))).toBeUndefined()
  chmodSync(open, 0o777)
  expect(refused(join(root, 'link'))?.message).toContain(`${open} can be changed`)
})

test('links in a circle end', () => {
  const root = tempDir()
  symlinkSync('b', join(root, 'a'))
  symlinkSync('a', join(root, 'b'))
  expect(unsafeOnPath(join(root, 'a'))).toBeUndefined()
})

test('a home, a link or a directory on the way that belongs to somebody else is refused', (context) => {
  asRoot(context)
  const root = tempDir()
  const above = join(root, 'above')
  const home = join(above, 'h')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  symlinkSync(home, join(root, 'link'))
  chownSync(above, 65534, 65534)
  expect(refused(home)?.message).toMatch(/above belongs to nobody \(uid 65534\)$/)
  chownSync(above, 0, 0)
  chownSync(home, 65534, 65534)
  expect(refused(home)).toMatchObject({ code: 'HOME_UNSAFE' })
  expect(refused(home)?.message).toMatch(/h belongs to nobody \(uid 65534\)$/)
  chownSync(home, 0, 0)
  expect(refused(join(root, 'link'))).toBeUndefined()
  // The link itself, not what it leads to.
  lchown(join(root, 'link'))
  expect(refused(join(root, 'link'))?.message).toMatch(/link belongs to nobody/)
})

test('what somebody else left in the home while it was open is refused: a socket, a runs directory, a link', (context) => {
  asRoot(context)
  for (const name of ['daemon.sock', 'tmux.sock']) {
    const home = tempDir()
    writeFileSync(join(home, name), '')
    chownSync(join(home, name), 65534, 65534)
    expect(refused(home)?.message).toContain(`${name} belongs to nobody`)
  }
  for (const make of [mkdirSync, (path: string) => symlinkSync('/tmp', path)]) {
    const home = tempDir()
    make(join(home, 'runs'))
    checkHomeEntries(home)
    lchown(join(home, 'runs'))
    expect(() => checkHomeEntries(home)).toThrow(/runs belongs to nobody/)
  }
})

test('a group that only its user is in counts as the user, any other does not', () => {
  const etc = tempDir()
  const users = [
    'root:x:0:0::/root:/bin/sh',
    'ann:x:1000:1000::/home/ann:/bin/sh',
    'bob:x:1001:100::/b:/bin/sh',
  ]
  writeFileSync(join(etc, 'passwd'), `${users.join('\n')}\n`)
  const groups = [
    'root:x:0:',
    'users:x:100:',
    'ann:x:1000:',
    'team:x:200:ann',
    'both:x:201:ann,bob',
    'gone:x:202:eve',
  ]
  writeFileSync(join(etc, 'group'), `${groups.join('\n')}\n`)
  const own = [0, 100, 1000, 200, 201, 202, 999].filter((gid) => isOwnGroup(gid, 1000, etc))
  expect(own).toEqual([1000, 200])
})

const lchown = (path: string) => lchownSync(path, 65534, 65534)
