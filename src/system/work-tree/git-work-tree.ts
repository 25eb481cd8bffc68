// Owns what an agent changed in a repository: against the commit and the files as they were when its task began.
import { join } from 'node:path'
import type { ChangedFile, TreeBase, TreeChanges, WorkTree } from '../../ports/files/work-tree.ts'
import { fileMarks, isAsMarked } from './file-marks.ts'
import { copyIndex, inOwnRepository, type OwnRepository } from './own-repository.ts'
import { headOf, isSha256, isSparse, type Repository, repositoryAround } from './repository.ts'

/** Where more files differ already, nothing is recorded: it would be told as the agent's work. */
const MOST_DIRTY = 5000
/** More changed files than this are not looked at. */
const MOST_FILES = 2000
const MOST_LIST_BYTES = 16 * 1024 * 1024
const MOST_DIFF_BYTES = 256 * 1024
/** What the arguments of a program can hold, with room to spare. */
const MOST_PATHS_BYTES = 64 * 1024
/** What git calls a tree without files, by the length of its names. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const EMPTY_TREE_SHA256 = '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
const STATUS = ['status', '--porcelain', '-z', '--untracked-files=all', '--no-renames']
const DIFF = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames']
const NO_SUBMODULES = '--ignore-submodules=all'

export const gitWorkTree: WorkTree = {
  async base(dir) {
    const began = Date.now()
    const found = repositoryAround(dir)
    const commit = found && headOf(found)
    if (found === undefined || commit === undefined) return undefined
    const state = { root: found.root, commit, sparse: isSparse(found) }
    const paths = await inOwnRepository({ ...found, ...state }, (own) => dirtyPaths(own, found, commit))
    if (paths === undefined || paths.length > MOST_DIRTY) return undefined
    const markOf = fileMarks(began)
    const dirty: Record<string, string> = {}
    for (const path of paths) {
      const mark = await markOf(join(found.root, path))
      if (mark !== undefined) dirty[path] = mark
    }
    return { ...state, dirty }
  },

  async changes(base) {
    const found = repositoryOf(base)
    if (found === undefined) return unknown('the directory is in no git repository any more')
    return await inOwnRepository({ ...found, ...base }, async (own) => {
      const why = await prepare(own, found, base, '.')
      if (why !== undefined) return unknown(why)
      const list = [...DIFF, NO_SUBMODULES, '--raw', '--numstat', '-z', treeOf(base, found)]
      const { code, stdout, stderr, timedOut } = await own.git(list, MOST_LIST_BYTES)
      if (timedOut) return unknown(TOO_LONG)
      if (code !== 0) return unknown(`git says: ${stderr.split('\n')[0]}`)
      if (Buffer.byteLength(stdout) >= MOST_LIST_BYTES) return unknown('too many files differ')
      return await sinceBeginning(base, filesIn(stdout))
    })
  },

  async diff(base, paths) {
    const found = repositoryOf(base)
    const asked = await changedAmong(base, paths)
    if (found === undefined || asked.length === 0) return undefined
    const some = within(asked, MOST_PATHS_BYTES)
    return await inOwnRepository({ ...found, ...base }, async (own) => {
      const [only, ...others] = some
      if ((await prepare(own, found, base, others.length === 0 ? only : '.')) !== undefined) return undefined
      const args = [...DIFF, NO_SUBMODULES, treeOf(base, found), '--', ...some]
      const { code, stdout } = await own.git(args, MOST_DIFF_BYTES)
      // A file that is as in the commit now, and was not, has changed without a diff.
      const isChanged = stdout !== '' || some.some((path) => base.dirty[path] !== undefined)
      return code === 0 && isChanged ? cut(stdout, some.length < asked.length) : undefined
    })
  },
}

const TOO_LONG = 'git took too long'
const unknown = (why: string): TreeChanges => ({ kind: 'unknown', why })

/** The one that was recorded, and none around it. */
function repositoryOf({ root }: TreeBase): Repository | undefined {
  const found = repositoryAround(root)
  return found?.root === root ? found : undefined
}

const treeOf = ({ commit }: TreeBase, found: Repository) =>
  commit ?? (isSha256(found, null) ? EMPTY_TREE_SHA256 : EMPTY_TREE)

/** One process of git; two where its index cannot be taken over. */
async function dirtyPaths(
  own: OwnRepository,
  found: Repository,
  commit: string | null,
): Promise<string[] | undefined> {
  const isReady = (await copyIndex(own, found)) || commit === null
  if (!isReady && (await own.git(['read-tree', commit])).code !== 0) return undefined
  const { code, stdout } = await own.git([...STATUS, NO_SUBMODULES], MOST_LIST_BYTES)
  if (code !== 0 || Buffer.byteLength(stdout) >= MOST_LIST_BYTES) return undefined
  const paths = stdout.split('\0').map((row) => row.slice(3))
  // A directory is another repository.
  return paths.filter((path) => path !== '' && !path.endsWith('/'))
}

/**
 * Puts the commit's files and the new ones of `where` into the index. The index of the project could hide changes: it is used
 * only where no other way tells which files are left out on purpose. Returns why it cannot be told what changed.
 */
async function prepare(
  own: OwnRepository,
  found: Repository,
  { commit, sparse }: TreeBase,
  where = '.',
): Promise<string | undefined> {
  const isReady = commit === null || (sparse && (await copyIndex(own, found)))
  const read = isReady ? undefined : await own.git(['read-tree', commit])
  if (read?.timedOut) return TOO_LONG
  if (read !== undefined && read.code !== 0) return `the commit ${commit?.slice(0, 12)} is not there any more`
  const added = await own.git(['add', '--intent-to-add', '--ignore-errors', '--', where])
  return added.timedOut ? TOO_LONG : undefined
}

async function sinceBeginning(base: TreeBase, found: readonly ChangedFile[]): Promise<TreeChanges> {
  // A file may also be as in the commit again that was not so when the task began.
  const named = new Set(found.map(({ path }) => path))
  const mended = Object.keys(base.dirty).filter((path) => !named.has(path))
  const all = [...found, ...mended.map((path): ChangedFile => ({ ...UNCOUNTED, path, kind: 'modified' }))]
  const changed = new Set(
    await changedAmong(
      base,
      all.map(({ path }) => path),
    ),
  )
  const files = all.filter(({ path }) => changed.has(path))
  return {
    kind: 'known',
    files: files
      .slice(0, MOST_FILES)
      .map((file) => ({ ...file, before: base.dirty[file.path] !== undefined })),
    leftOut: Math.max(0, files.length - MOST_FILES),
  }
}

/** Without those that are still as they were when the task began. */
async function changedAmong({ root, dirty }: TreeBase, paths: readonly string[]): Promise<string[]> {
  const changed: string[] = []
  for (const path of paths) {
    const mark = dirty[path]
    if (mark === undefined || !(await isAsMarked(join(root, path), mark))) changed.push(path)
  }
  return changed
}

const UNCOUNTED = { added: null, removed: null, before: false } as const
const KINDS: Readonly<Record<string, ChangedFile['kind']>> = { A: 'added', D: 'deleted' }

/** First `:<modes and names> <kind>` and the path of each file, then `<added>\t<removed>\t<path>` of each. */
function filesIn(list: string): ChangedFile[] {
  const words = list.split('\0')
  const files = new Map<string, ChangedFile>()
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word.startsWith(':')) {
      const path = words[++at] ?? ''
      files.set(path, { ...UNCOUNTED, path, kind: KINDS[word.at(-1) ?? ''] ?? 'modified' })
    }
    const [, added, removed, path = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/su.exec(word) ?? []
    const file = files.get(path)
    if (file !== undefined) files.set(path, { ...file, added: lines(added), removed: lines(removed) })
  }
  return [...files.values()]
}

/** `-` for a file that is not text. */
const lines = (text = '-') => (text === '-' ? null : Number(text))

function within(paths: readonly string[], mostBytes: number): string[] {
  let left = mostBytes
  return paths.filter((path) => {
    left -= Buffer.byteLength(path) + 1
    return left >= 0
  })
}

/** What is longer was dropped by `exec`; the last line may be half a line then. */
function cut(text: string, isPart: boolean): { diff: string; cut: boolean } {
  const isCut = Buffer.byteLength(text) >= MOST_DIFF_BYTES - 3
  return { diff: isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text, cut: isCut || isPart }
}
