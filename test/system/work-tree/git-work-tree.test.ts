import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TreeBase } from '../../../src/ports/files/work-tree.ts'
import { gitWorkTree } from '../../../src/system/work-tree/git-work-tree.ts'
import { emptyRepository, repositoryWith } from '../../helpers/git-repository.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

async function begun(...options: string[]) {
  const world = repositoryWith(
    { 'kept.txt': 'one\ntwo\n', 'gone.txt': 'old\n', 'mine.txt': 'clean\n' },
    ...options,
  )
  world.write('mine.txt', 'dirty\n')
  world.write('also mine.txt', 'new and mine\n')
  return { ...world, base: await baseOf(world.root) }
}

const baseOf = async (dir: string) => (await gitWorkTree.base(dir))!

const filesSince = async (base: TreeBase) => {
  const found = await gitWorkTree.changes(base)
  if (found.kind === 'unknown') throw new Error(found.why)
  return found.files
}
const pathsSince = async (base: TreeBase) => (await filesSince(base)).map(({ path }) => path)
const diffOf = async (base: TreeBase, ...paths: string[]) => (await gitWorkTree.diff(base, paths))?.diff

test.each(['sha1', 'sha256'])(
  'only what changed since the beginning counts, and what was changed before is marked (%s)',
  async (format) => {
    const { root, write, base } = await begun(`--object-format=${format}`)
    expect(Object.keys(base.dirty).sort()).toEqual(['also mine.txt', 'mine.txt'])
    expect(await gitWorkTree.changes(base)).toEqual({ kind: 'known', files: [], leftOut: 0 })
    write('kept.txt', 'one\n2\nthree\n')
    write('new/ünï "quoted".txt', 'hello\n')
    rmSync(join(root, 'gone.txt'))
    write('mine.txt', 'dirty, then touched by the agent\n')
    expect(await filesSince(base)).toEqual([
      { path: 'gone.txt', kind: 'deleted', added: 0, removed: 1, before: false },
      { path: 'kept.txt', kind: 'modified', added: 2, removed: 1, before: false },
      { path: 'mine.txt', kind: 'modified', added: 1, removed: 1, before: true },
      { path: 'new/ünï "quoted".txt', kind: 'added', added: 1, removed: 0, before: false },
    ])
    expect(await diffOf(base, 'kept.txt')).toMatch(/^-two\n\+2\n\+three$/m)
    expect(await diffOf(base, 'new/ünï "quoted".txt')).toContain('+hello')
    expect(await diffOf(base, 'gone.txt')).toContain('-old')
    expect(await diffOf(base, 'also mine.txt')).toBeUndefined()
    const all = await diffOf(base, ...(await pathsSince(base)), 'also mine.txt')
    for (const line of ['-old', '+three', '+hello', '+dirty, then']) expect(all).toContain(line)
    expect(all).not.toContain('new and mine')
  },
)

test('commits of the agent count too, and a file that became as in the commit', async () => {
  const { git, write, base } = await begun()
  write('kept.txt', 'committed\n')
  write('mine.txt', 'clean\n')
  git('commit', '-qam', 'by the agent')
  expect((await pathsSince(base)).sort()).toEqual(['kept.txt', 'mine.txt'])
  expect(await diffOf(base, 'mine.txt')).toBe('')
})

test('what git ignores, what is ours, and repositories within are not told', async () => {
  const { root, write } = repositoryWith({ 'a.txt': 'one\n', '.gitignore': '*.log\n' })
  const base = await baseOf(join(root))
  write('x.log', 'ignored\n')
  write('below/.holdfast/x', 'ours\n')
  renameSync(repositoryWith({ 'b.txt': 'b\n' }).root, join(root, 'within'))
  expect(await pathsSince(base)).toEqual([])
  expect((await baseOf(root)).dirty).toEqual({})
})

test('from a directory below, the whole repository is told', async () => {
  const { root, write } = repositoryWith({ 'below/a.txt': 'one\n' })
  const base = await baseOf(join(root, 'below'))
  write('b.txt', 'new\n')
  expect(await pathsSince(base)).toEqual(['b.txt'])
})

test.each(['sha1', 'sha256'])('a repository without a commit (%s)', async (format) => {
  const { root, write } = emptyRepository(`--object-format=${format}`)
  write('mine.txt', 'mine\n')
  const base = await baseOf(root)
  expect(base.commit).toBeNull()
  write('first.txt', 'x\n')
  expect(await pathsSince(base)).toEqual(['first.txt'])
  expect(await diffOf(base, 'first.txt')).toContain('+x')
})

test('a directory in no repository has no base', async () => {
  const dir = tempDir()
  expect(await gitWorkTree.base(dir)).toBeUndefined()
  mkdirSync(join(dir, '.git'))
  expect(await gitWorkTree.base(dir)).toBeUndefined()
})

test('a worktree of git is compared with its own commit', async () => {
  const { root, git } = repositoryWith({ 'a.txt': 'one\n' })
  const other = join(root, '../other')
  git('worktree', 'add', '-q', other)
  git('commit', '-qm', 'only here', '--allow-empty')
  const base = await baseOf(other)
  expect(base.commit).not.toBe(git('rev-parse', 'HEAD'))
  writeFileSync(join(other, 'a.txt'), 'changed\n')
  expect(await pathsSince(base)).toEqual(['a.txt'])
})

test('files that a sparse checkout leaves out are not told as deleted; others are', async () => {
  const { root, git, write } = repositoryWith({ 'in/a.txt': 'a\n', 'in/b.txt': 'b\n', 'out/c.txt': 'c\n' })
  git('sparse-checkout', 'set', 'in')
  const base = await baseOf(root)
  expect(base).toMatchObject({ sparse: true, dirty: {} })
  rmSync(join(root, 'in/a.txt'))
  write('in/b.txt', 'B\n')
  git('update-index', '--skip-worktree', 'in/b.txt')
  expect(await pathsSince(base)).toEqual(['in/a.txt', 'in/b.txt'])
})

test('an index in two parts, and none, are no trouble', async () => {
  const { root, git, write } = repositoryWith({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
  write('a.txt', 'changed\n')
  git('update-index', '--split-index')
  expect(Object.keys((await baseOf(root)).dirty)).toEqual(['a.txt'])
  git('update-index', '--no-split-index')
  rmSync(join(root, '.git/index'))
  const base = await baseOf(root)
  expect(Object.keys(base.dirty)).toEqual(['a.txt'])
  expect(await pathsSince(base)).toEqual([])
})

test('a long diff is cut at a line, a binary file has no lines, and a link is not followed', async () => {
  const { root, write, base } = await begun()
  write('long.txt', `${'x'.repeat(99)}\n`.repeat(10_000))
  write('kept.txt', Buffer.from([0, 1, 2, 3, 0]))
  symlinkSync('/etc/passwd', join(root, 'link'))
  const files = await filesSince(base)
  expect(files.find(({ path }) => path === 'kept.txt')).toMatchObject({ added: null, removed: null })
  const long = (await gitWorkTree.diff(base, ['long.txt']))!
  expect(long).toMatchObject({ cut: true })
  expect(long.diff.length).toBeLessThanOrEqual(256 * 1024)
  expect(long.diff.endsWith('\n')).toBe(true)
  expect(await diffOf(base, 'link')).not.toContain('root:')
})

test('what cannot be told says why', async () => {
  const { root, base } = await begun()
  const lost = { ...base, commit: '0'.repeat(40) }
  expect(await gitWorkTree.changes(lost)).toEqual({
    kind: 'unknown',
    why: 'the commit 000000000000 is not there any more',
  })
  expect(await diffOf(lost, 'kept.txt')).toBeUndefined()
  rmSync(join(root, '.git'), { recursive: true })
  expect(await gitWorkTree.changes(base)).toMatchObject({
    kind: 'unknown',
    why: expect.stringContaining('no'),
  })
})
