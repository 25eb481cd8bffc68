// Owns what an agent changed in a repository: against the commit and the files as they were when its task began.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, readFile, readlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unless } from '../../domain/system-error.ts'
import type { ChangedFile, WorkTree } from '../../ports/work-tree.ts'
import { git } from './git.ts'

/** More changed files than this are not looked at. */
const MOST_FILES = 2000
const MOST_DIFF_BYTES = 256 * 1024
/** Of a larger file, size and time stand for its content. */
const MOST_HASHED_BYTES = 8 * 1024 * 1024
/** What git calls a tree without files. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const DIFF = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--ignore-submodules=all',
]

export const gitWorkTree: WorkTree = {
  async base(dir) {
    if (!isInRepository(dir)) return undefined
    const root = (await git(dir, ['rev-parse', '--show-toplevel']))?.trimEnd()
    if (root === undefined || root === '') return undefined
    const commit = (await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD']))?.trim() || null
    const paths = (await changedPaths(root, commit))?.map(({ path }) => path) ?? []
    const hashed = paths
      .slice(0, MOST_FILES)
      .map(async (path) => [path, await hashOf(join(root, path))] as const)
    return { root, commit, dirty: Object.fromEntries(await Promise.all(hashed)) }
  },

  async changes(base) {
    const found = await changedPaths(base.root, base.commit)
    if (found === undefined) return undefined
    // A file may also be as in the commit again that was not so when the task began.
    const mended = Object.keys(base.dirty).filter((path) => !found.some((file) => file.path === path))
    const all = [...found, ...mended.map((path): ChangedFile => ({ ...UNCOUNTED, path, kind: 'modified' }))]
    const files: ChangedFile[] = []
    for (const file of all.slice(0, MOST_FILES)) {
      const known = base.dirty[file.path]
      if (known !== undefined && known === (await hashOf(join(base.root, file.path)))) continue
      files.push({ ...file, before: known !== undefined })
    }
    return { files, more: all.length > MOST_FILES }
  },

  async diff(base, path) {
    const options = { mostBytes: MOST_DIFF_BYTES + 1 }
    const tracked = await git(base.root, [...DIFF, base.commit ?? EMPTY_TREE, '--', path], options)
    const text = tracked === '' ? await newFile(base.root, path) : tracked
    if (text === undefined) return undefined
    return { diff: text.slice(0, MOST_DIFF_BYTES), cut: text.length > MOST_DIFF_BYTES }
  },
}

const UNCOUNTED = { added: null, removed: null, before: false } as const

/** Without a fork: most directories are in none or clearly in one. */
function isInRepository(dir: string): boolean {
  if (existsSync(join(dir, '.git'))) return true
  const above = dirname(dir)
  return above !== dir && isInRepository(above)
}

/** A file that git does not know is shown whole. git says 1 for a difference. */
const newFile = (root: string, path: string) =>
  git(root, [...DIFF, '--no-index', '--', '/dev/null', path], { ok: [0, 1], mostBytes: MOST_DIFF_BYTES + 1 })

async function changedPaths(root: string, commit: string | null): Promise<ChangedFile[] | undefined> {
  const [counted, named, untracked] = await Promise.all([
    git(root, [...DIFF, '--numstat', '-z', commit ?? EMPTY_TREE]),
    git(root, [...DIFF, '--name-status', '-z', commit ?? EMPTY_TREE]),
    git(root, ['ls-files', '--others', '--exclude-standard', '-z']),
  ])
  if (counted === undefined || named === undefined || untracked === undefined) return undefined
  const counts = new Map(counted.split('\0').flatMap(countOf))
  const words = named.split('\0')
  const tracked = words.flatMap((kind, at): ChangedFile[] => {
    const path = words[at + 1]
    if (at % 2 === 1 || path === undefined || path === '') return []
    return [{ path, kind: KINDS[kind] ?? 'modified', before: false, ...(counts.get(path) ?? UNCOUNTED) }]
  })
  const others = untracked.split('\0').filter((path) => path !== '' && !path.startsWith('.holdfast/'))
  return [...tracked, ...others.map((path): ChangedFile => ({ ...UNCOUNTED, path, kind: 'added' }))]
}

const KINDS: Readonly<Record<string, ChangedFile['kind']>> = { A: 'added', D: 'deleted', M: 'modified' }

/** `3\t1\tpath`; `-` for a binary file. */
function countOf(line: string): [string, Pick<ChangedFile, 'added' | 'removed'>][] {
  const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/su.exec(line) ?? []
  if (path === undefined) return []
  const number = (text = '-') => (text === '-' ? null : Number(text))
  return [[path, { added: number(added), removed: number(removed) }]]
}

/** Links are not followed: what is compared is where they lead to, as git does. */
async function hashOf(path: string): Promise<string> {
  const state = await lstat(path).catch(unless(undefined, 'ENOENT', 'ENOTDIR'))
  if (state === undefined) return 'none'
  if (state.isSymbolicLink()) return `link ${await readlink(path)}`
  if (!state.isFile() || state.size > MOST_HASHED_BYTES) return `${state.size} ${state.mtimeMs}`
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}
