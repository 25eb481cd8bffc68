import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filePlaces } from '../../../src/system/places/places.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const git = (dir: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: dir, encoding: 'utf8' })

/** A repository with one commit. */
function repository(files: Record<string, string> = { 'a.txt': 'one\n' }) {
  const dir = join(tempDir(), 'project')
  mkdirSync(dir)
  git(dir, 'init', '-q')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  git(dir, 'add', '-A')
  git(dir, 'commit', '-qm', 'first')
  return { dir, head: git(dir, 'rev-parse', 'HEAD').trim() }
}

const known = async (dir: string, since: string) => {
  const found = await filePlaces.changesSince(dir, since)
  if (found.kind === 'unknown') throw new Error(found.why)
  return found
}

test('changed, new, deleted and committed files are told; ignored ones and our own are not', async () => {
  const { dir, head } = repository({
    'a.txt': 'one\n',
    'b.txt': 'gone\n',
    'c.txt': 'c\n',
    '.gitignore': '*.log\n',
  })
  writeFileSync(join(dir, 'a.txt'), 'one\ntwo\n')
  rmSync(join(dir, 'b.txt'))
  writeFileSync(join(dir, 'c.txt'), 'C\n')
  git(dir, 'commit', '-qam', 'second')
  writeFileSync(join(dir, 'new file.txt'), 'new\n')
  writeFileSync(join(dir, 'x.log'), 'ignored\n')
  mkdirSync(join(dir, '.holdfast'))
  writeFileSync(join(dir, '.holdfast/x'), 'ours\n')
  const { files, patch, isCut } = await known(dir, head)
  expect(files).toEqual([
    { path: 'a.txt', added: 1, removed: 0 },
    { path: 'b.txt', added: 0, removed: 1 },
    { path: 'c.txt', added: 1, removed: 1 },
    { path: 'new file.txt', added: 1, removed: 0 },
  ])
  expect(patch).toContain('+two')
  expect(isCut).toBe(false)
})

test('nothing that a repository names is executed, and nothing in it is written', async () => {
  const { dir, head } = repository({ 'a.txt': 'one\n', '.gitattributes': '* filter=evil diff=evil\n' })
  const mark = join(dir, '../executed')
  const evil = join(dir, '../evil.sh')
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`)
  chmodSync(evil, 0o755)
  for (const hook of ['post-index-change', 'pre-commit', 'post-checkout']) {
    writeFileSync(join(dir, '.git/hooks', hook), `#!/bin/sh\necho hook >> '${mark}'\n`)
    chmodSync(join(dir, '.git/hooks', hook), 0o755)
  }
  appendFileSync(
    join(dir, '.git/config'),
    `[filter "evil"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n\trequired = true\n` +
      `[diff "evil"]\n\tcommand = ${evil}\n\ttextconv = ${evil}\n[diff]\n\texternal = ${evil}\n` +
      `[core]\n\tfsmonitor = ${evil}\n\tpager = ${evil}\n\thooksPath = .git/hooks\n[alias]\n\tdiff = !${evil}\n`,
  )
  writeFileSync(join(dir, 'a.txt'), 'two\n')
  const before = readdirSync(join(dir, '.git'), { recursive: true }).sort()
  const index = readFileSync(join(dir, '.git/index'))
  expect(filePlaces.headOf(dir)).toBe(head)
  expect((await known(dir, head)).files).toEqual([{ path: 'a.txt', added: 1, removed: 1 }])
  expect(existsSync(mark)).toBe(false)
  expect(readdirSync(join(dir, '.git'), { recursive: true }).sort()).toEqual(before)
  expect(readFileSync(join(dir, '.git/index')).equals(index)).toBe(true)
})

test('a repository whose settings point to another directory is not followed there', async () => {
  const { dir, head } = repository()
  const secret = join(dir, '../secret')
  mkdirSync(secret)
  writeFileSync(join(secret, 'key'), 'do not show\n')
  git(dir, 'config', 'core.worktree', secret)
  expect(await filePlaces.changesSince(dir, head)).toMatchObject({ kind: 'unknown' })
})

test('a worktree of git is compared as well', async () => {
  const { dir, head } = repository()
  const other = join(dir, '../other')
  git(dir, 'worktree', 'add', '-q', other)
  writeFileSync(join(other, 'a.txt'), 'changed\n')
  expect(filePlaces.headOf(other)).toBe(head)
  expect((await known(other, head)).files).toEqual([{ path: 'a.txt', added: 1, removed: 1 }])
})

test('a binary file has no lines; a long diff is cut at a line, and says so', async () => {
  const { dir, head } = repository()
  writeFileSync(join(dir, 'b.bin'), Buffer.from([0, 1, 2, 0]))
  writeFileSync(join(dir, 'long.txt'), 'a line that is repeated\n'.repeat(20_000))
  const { files, patch, isCut } = await known(dir, head)
  expect(files[0]).toEqual({ path: 'b.bin', added: null, removed: null })
  expect(isCut).toBe(true)
  expect(patch.length).toBeLessThanOrEqual(256 * 1024)
  expect(patch.endsWith('\n')).toBe(true)
})

test.each([
  ['a commit that is not there', '0'.repeat(40)],
  ['what is no commit', '--output=/etc/passwd'],
])('%s is told as not known', async (_what, since) => {
  const { dir } = repository()
  expect(await filePlaces.changesSince(dir, since)).toMatchObject({ kind: 'unknown' })
})

test('the commit is found in loose and in packed refs, and with a detached HEAD', () => {
  const { dir, head } = repository()
  expect(filePlaces.headOf(dir)).toBe(head)
  git(dir, 'pack-refs', '--all')
  expect(filePlaces.headOf(dir)).toBe(head)
  git(dir, 'checkout', '-q', '--detach')
  expect(filePlaces.headOf(dir)).toBe(head)
})

test('a HEAD that leads out of the repository, or in a circle, is no commit', () => {
  const { dir } = repository()
  for (const text of ['ref: refs/../../../etc/passwd', 'ref: refs/heads/a', 'nonsense']) {
    writeFileSync(join(dir, '.git/HEAD'), `${text}\n`)
    writeFileSync(join(dir, '.git/refs/heads/a'), 'ref: refs/heads/a\n')
    expect(filePlaces.headOf(dir)).toBeNull()
  }
})

test('outside of a repository, and before its first commit, there is no commit', async () => {
  const dir = tempDir()
  expect(filePlaces.headOf(dir)).toBeNull()
  git(dir, 'init', '-q')
  expect(filePlaces.headOf(dir)).toBeNull()
})
