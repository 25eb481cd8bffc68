// Repositories that an agent prepared, so that looking at them would run its code, show other files, or hide changes.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitWorkTree } from '../../../src/system/work-tree/git-work-tree.ts'
import { repositoryWith } from '../../helpers/git-repository.ts'

const pathsSince = async (base: Parameters<typeof gitWorkTree.changes>[0]) => {
  const found = await gitWorkTree.changes(base)
  return found.kind === 'known' ? found.files.map(({ path }) => path) : found
}

test('nothing that a repository names is executed, and nothing in it is written', async () => {
  const { root, write } = repositoryWith({ 'a.txt': 'one\n', '.gitattributes': '* filter=evil diff=evil\n' })
  const mark = join(root, '../executed')
  const evil = join(root, '../evil.sh')
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`)
  chmodSync(evil, 0o755)
  for (const hook of ['post-index-change', 'pre-commit', 'post-checkout']) {
    writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\necho hook >> '${mark}'\n`)
    chmodSync(join(root, '.git/hooks', hook), 0o755)
  }
  appendFileSync(
    join(root, '.git/config'),
    `[filter "evil"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n\tprocess = ${evil}\n\trequired = true\n` +
      `[diff "evil"]\n\tcommand = ${evil}\n\ttextconv = ${evil}\n[diff]\n\texternal = ${evil}\n` +
      `[core]\n\tfsmonitor = ${evil}\n\tpager = ${evil}\n\thooksPath = .git/hooks\n` +
      `[alias]\n\tdiff = !${evil}\n\tstatus = !${evil}\n`,
  )
  write('mine.txt', 'mine\n')
  const before = readdirSync(join(root, '.git'), { recursive: true }).sort()
  const index = readFileSync(join(root, '.git/index'))
  const base = (await gitWorkTree.base(root))!
  write('a.txt', 'two\n')
  expect(await pathsSince(base)).toContain('a.txt')
  expect((await gitWorkTree.diff(base, ['a.txt']))?.diff).toContain('+two')
  expect(existsSync(mark)).toBe(false)
  expect(readdirSync(join(root, '.git'), { recursive: true }).sort()).toEqual(before)
  expect(readFileSync(join(root, '.git/index')).equals(index)).toBe(true)
})

test('a repository whose settings point to another directory is not followed there', async () => {
  const { root, git, write } = repositoryWith({ 'a.txt': 'one\n' })
  const secret = join(root, '../secret')
  mkdirSync(secret)
  writeFileSync(join(secret, 'key'), 'do not show\n')
  git('config', 'core.worktree', secret)
  const base = (await gitWorkTree.base(root))!
  expect(base).toMatchObject({ root, dirty: {} })
  write('a.txt', 'two\n')
  expect(await pathsSince(base)).toEqual(['a.txt'])
})

test('an index that hides files hides nothing', async () => {
  const { root, git, write } = repositoryWith({ 'a.txt': 'one\n', 'b.txt': 'one\n' })
  const base = (await gitWorkTree.base(root))!
  git('update-index', '--assume-unchanged', 'a.txt')
  git('update-index', '--skip-worktree', 'b.txt')
  write('a.txt', 'two\n')
  write('b.txt', 'two\n')
  expect(await pathsSince(base)).toEqual(['a.txt', 'b.txt'])
})

test('no diff shows a file outside of the repository, an ignored one, or is an option', async () => {
  const { root, write } = repositoryWith({ 'a.txt': 'one\n', '.gitignore': '.env\n' })
  const base = (await gitWorkTree.base(root))!
  write('.env', 'do not show\n')
  writeFileSync(join(root, '../secret'), 'do not show\n')
  for (const path of [
    '/etc/passwd',
    '../secret',
    '.env',
    '.git/config',
    '--output=x',
    '',
    ':(top)x',
    'a.txt',
  ])
    expect(await gitWorkTree.diff(base, [path]), path).toBeUndefined()
})

test('a commit that is an option is no commit', async () => {
  const { root } = repositoryWith({ 'a.txt': 'one\n' })
  const base = (await gitWorkTree.base(root))!
  const found = await gitWorkTree.changes({ ...base, commit: '--output=x' })
  expect(found).toMatchObject({ kind: 'unknown' })
  expect(existsSync(join(root, 'x'))).toBe(false)
})

test('a FIFO in the place of a file that differed before holds nobody up', async () => {
  const { root, write } = repositoryWith({ 'a.txt': 'one\n' })
  write('a.txt', 'mine\n')
  const base = (await gitWorkTree.base(root))!
  expect(Object.keys(base.dirty)).toEqual(['a.txt'])
  execFileSync('sh', ['-c', 'rm a.txt && mkfifo a.txt'], { cwd: root })
  expect(await gitWorkTree.changes(base)).toMatchObject({
    kind: 'unknown',
    why: expect.stringContaining('a.txt'),
  })
  expect(await gitWorkTree.diff(base, ['a.txt'])).toBeUndefined()
  expect(Object.keys((await gitWorkTree.base(root))!.dirty)).toEqual(['a.txt'])
})
