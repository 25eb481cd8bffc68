// Owns calling git for a repository that an agent may have prepared. Nothing that the repository names is executed, and nothing
// in it is written: git works in a directory of ours, with our settings alone, and only borrows the project's objects. A
// project's filters, external diffs, text conversions, hooks and file monitors would run code that an agent may have written.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, lstat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unless } from '../../domain/system-error.ts'
import { filePlaces } from '../places/places.ts'
import { type ExecResult, exec } from '../processes/exec.ts'
import { isSha256, type Repository } from './repository.ts'

const LONGEST_MS = 10_000
const MOST_INDEX_BYTES = 128 * 1024 * 1024

type Compared = Pick<Repository, 'root' | 'common'> & {
  readonly commit: string | null
  readonly sparse: boolean
}
export type OwnRepository = {
  readonly dir: string
  git(args: readonly string[], mostBytes?: number): Promise<ExecResult>
}

/** Lends a repository of ours, with an empty index, that has the commit checked out in the root. */
export async function inOwnRepository<T>(
  compared: Compared,
  work: (own: OwnRepository) => Promise<T>,
): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-diff-'))
  try {
    fill(dir, compared)
    const env = envOf(dir, compared.root)
    return await work({
      dir,
      git: (args, mostBytes) =>
        exec(['git', '--no-pager', '--literal-pathspecs', ...args], {
          cwd: compared.root,
          env,
          timeoutMs: LONGEST_MS,
          ...(mostBytes === undefined ? {} : { mostBytes }),
        }),
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function fill(dir: string, { common, commit, sparse }: Compared): void {
  for (const name of ['objects/info', 'refs', 'info']) mkdirSync(join(dir, name), { recursive: true })
  const isLong = isSha256({ common }, commit)
  const core = {
    repositoryformatversion: isLong ? 1 : 0,
    bare: false,
    autocrlf: false,
    quotePath: false,
    fsmonitor: false,
    untrackedCache: false,
    hooksPath: '/dev/null',
    // Has git look at the files that the index calls left out, but are there.
    sparseCheckout: sparse,
  }
  const lines = Object.entries(core).map(([name, value]) => `\t${name} = ${value}\n`)
  const extension = isLong ? '[extensions]\n\tobjectFormat = sha256\n' : ''
  writeFileSync(join(dir, 'HEAD'), `${commit ?? 'ref: refs/heads/none'}\n`)
  writeFileSync(join(dir, 'config'), `[core]\n${lines.join('')}${extension}`)
  writeFileSync(join(dir, 'objects/info/alternates'), `${common}/objects\n`)
  writeFileSync(join(dir, 'info/attributes'), '* -text -filter -ident -working-tree-encoding\n')
  const excluded = filePlaces.peek(join(common, 'info/exclude')) ?? ''
  writeFileSync(join(dir, 'info/exclude'), `.holdfast/\n${excluded}`)
}

const envOf = (dir: string, root: string) => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: dir,
  LC_ALL: 'C.UTF-8',
  GIT_DIR: dir,
  GIT_WORK_TREE: root,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
})

/**
 * Takes over the project's index, so that git need not read files whose size and times are as it was told. Whoever can write
 * that index can hide changes in it. False when there is none of a kind that can be copied.
 */
export async function copyIndex({ dir }: OwnRepository, { own }: Pick<Repository, 'own'>): Promise<boolean> {
  const index = join(own, 'index')
  const state = await lstat(index).catch(unless(undefined, 'ENOENT', 'ENOTDIR'))
  if (!state?.isFile() || state.size > MOST_INDEX_BYTES) return false
  // A part of it is in another file then.
  if (readdirSync(own).some((name) => name.startsWith('sharedindex.'))) return false
  await copyFile(index, join(dir, 'index'))
  // git reads a file that is as young as the index, because it may have changed within the same moment.
  const seconds = Math.floor(state.mtimeMs / 1000)
  await utimes(join(dir, 'index'), seconds, seconds)
  return true
}
