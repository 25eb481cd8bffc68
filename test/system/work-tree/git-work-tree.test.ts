import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitWorkTree } from '../../../src/system/work-tree/git-work-tree.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

function repository() {
  const root = tempDir()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: root })
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  git('init', '-q')
  return { root, git, write }
}

async function begun() {
  const world = repository()
  world.write('kept.txt', 'one\ntwo\n')
  world.write('gone.txt', 'old\n')
  world.write('mine.txt', 'clean\n')
  world.git('add', '.')
  world.git('commit', '-qm', 'begin')
  world.write('mine.txt', 'dirty\n')
  world.write('also mine.txt', 'new and mine\n')
  const base = (await gitWorkTree.base(world.root))!
  return { ...world, base }
}

test('only what changed since the beginning counts, and what was changed before is marked', async () => {
  const { root, write, base } = await begun()
  expect(await gitWorkTree.changes(base)).toEqual({ files: [], more: false })
  write('kept.txt', 'one\n2\nthree\n')
  write('new/ünï "quoted".txt', 'hello\n')
  rmSync(join(root, 'gone.txt'))
  write('mine.txt', 'dirty, then touched by the agent\n')
  const { files } = (await gitWorkTree.changes(base))!
  expect(files).toEqual([
    { path: 'gone.txt', kind: 'deleted', added: 0, removed: 1, before: false },
    { path: 'kept.txt', kind: 'modified', added: 2, removed: 1, before: false },
    { path: 'mine.txt', kind: 'modified', added: 1, removed: 1, before: true },
    { path: 'new/ünï "quoted".txt', kind: 'added', added: null, removed: null, before: false },
  ])
  expect((await gitWorkTree.diff(base, 'kept.txt'))?.diff).toMatch(/^-two\n\+2\n\+three$/m)
  expect((await gitWorkTree.diff(base, 'new/ünï "quoted".txt'))?.diff).toContain('+hello')
})

test('commits of the agent count too, and a file that became as in the commit', async () => {
  const { git, write, base } = await begun()
  write('kept.txt', 'committed\n')
  write('mine.txt', 'clean\n')
  git('commit', '-qam', 'by the agent')
  const { files } = (await gitWorkTree.changes(base))!
  expect(files.map(({ path }) => path).sort()).toEqual(['kept.txt', 'mine.txt'])
})

test('a repository without a commit, and a directory in none', async () => {
  const { root, write } = repository()
  const base = (await gitWorkTree.base(root))!
  expect(base.commit).toBeNull()
  write('first.txt', 'x\n')
  expect((await gitWorkTree.changes(base))?.files.map(({ path }) => path)).toEqual(['first.txt'])
  expect(await gitWorkTree.base(tempDir())).toBeUndefined()
})

test('nothing that the repository configures is executed', async () => {
  const { root, git, write, base } = await begun()
  const proof = join(root, '..', `ran-${process.pid}-${Date.now()}`)
  const program = join(root, 'evil.sh')
  writeFileSync(program, `#!/bin/sh\ntouch '${proof}'\ncat\n`)
  chmodSync(program, 0o755)
  write('.gitattributes', '* filter=evil diff=evil\n')
  for (const [key, value] of [
    ['filter.evil.clean', program],
    ['filter.evil.process', program],
    ['filter.evil.required', 'true'],
    ['diff.evil.command', program],
    ['diff.evil.textconv', program],
    ['diff.external', program],
    ['core.fsmonitor', program],
    ['core.pager', program],
  ])
    git('config', key!, value!)
  write('kept.txt', 'changed\n')
  const found = await gitWorkTree.changes(base)
  expect(found?.files.map(({ path }) => path)).toContain('kept.txt')
  expect((await gitWorkTree.diff(base, 'kept.txt'))?.diff).toContain('+changed')
  expect(await gitWorkTree.base(root)).toBeDefined()
  expect(existsSync(proof)).toBe(false)
})

test('a long diff is cut, a binary file has no lines, and a link is not followed', async () => {
  const { root, write, base } = await begun()
  write('long.txt', `${'x'.repeat(99)}\n`.repeat(10_000))
  writeFileSync(join(root, 'kept.txt'), Buffer.from([0, 1, 2, 3, 0]))
  symlinkSync('/etc/passwd', join(root, 'link'))
  const { files } = (await gitWorkTree.changes(base))!
  expect(files.find(({ path }) => path === 'kept.txt')).toMatchObject({ added: null, removed: null })
  const long = (await gitWorkTree.diff(base, 'long.txt'))!
  expect(long).toMatchObject({ cut: true })
  expect(long.diff.length).toBeLessThanOrEqual(256 * 1024)
  expect((await gitWorkTree.diff(base, 'link'))?.diff).not.toContain('root:')
})
