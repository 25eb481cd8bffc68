// Owns comparing a working tree with a commit. Nothing that the repository names is executed, and nothing in it is written: git
// works in a directory of ours, with our settings alone, and only borrows the project's objects. A project's filters, external
// diffs, text conversions, hooks and file monitors would run code that an agent may have written.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChangedFile, Changes } from '../../domain/task/changes.ts'
import { type ExecResult, exec } from '../processes/exec.ts'
import { COMMIT, repositoryAround } from './head-of.ts'

const MOST_PATCH_BYTES = 256 * 1024
const MOST_FILES = 500
const MOST_LIST_BYTES = 4 * 1024 * 1024
const LIMIT_MS = 10_000

type Env = Readonly<Record<string, string>>
type Read = (path: string) => string | undefined

/** `read`: a small file, without being held up by what is none. */
export async function changesSince(dir: string, since: string, read: Read): Promise<Changes> {
  if (!COMMIT.test(since)) return unknown('the recorded commit is none')
  const place = await repositoryOf(dir)
  if (place === undefined) return unknown('the directory is in no git repository any more')
  const own = mkdtempSync(join(tmpdir(), 'holdfast-diff-'))
  try {
    return await compare({ ...place, env: ownRepository(own, place, read), since })
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

type Repository = { readonly top: string; readonly common: string; readonly format: string }

async function repositoryOf(dir: string): Promise<Repository | undefined> {
  if (repositoryAround(dir) === undefined) return undefined
  const ask = ['--path-format=absolute', '--show-toplevel', '--git-common-dir', '--show-object-format']
  const { code, stdout } = await git(['rev-parse', ...ask], dir, PLAIN)
  const [top = '', common = '', format = ''] = stdout.split('\n')
  if (code !== 0) return undefined
  // `core.worktree` can name any directory.
  const [inside, real] = [`${realpathSync(dir)}/`, realpathSync(top)]
  return inside.startsWith(real === '/' ? '/' : `${real}/`) ? { top: real, common, format } : undefined
}

/** An empty repository with our settings, which finds the project's objects. Returns the environment that leads git there. */
function ownRepository(own: string, { top, common, format }: Repository, read: Read): Env {
  for (const name of ['objects/info', 'refs', 'info']) mkdirSync(join(own, name), { recursive: true })
  const extension = format === 'sha256' ? '[extensions]\n\tobjectFormat = sha256\n' : ''
  const version = format === 'sha256' ? 1 : 0
  const core = `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n\tautocrlf = false\n\tquotePath = false\n`
  writeFileSync(join(own, 'HEAD'), 'ref: refs/heads/none\n')
  writeFileSync(join(own, 'config'), `${core}${extension}`)
  writeFileSync(join(own, 'objects/info/alternates'), `${common}/objects\n`)
  writeFileSync(join(own, 'info/attributes'), '* -text -filter -ident -working-tree-encoding\n')
  writeFileSync(join(own, 'info/exclude'), `.holdfast/\n${read(join(common, 'info/exclude')) ?? ''}`)
  return {
    ...PLAIN,
    HOME: own,
    GIT_DIR: own,
    GIT_WORK_TREE: top,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  }
}

type Comparison = Pick<Repository, 'top'> & { readonly env: Env; readonly since: string }

async function compare({ top, env, since }: Comparison): Promise<Changes> {
  const run = (args: string[], most?: number) => git(args, top, env, most)
  const steps = [
    ['read-tree', since],
    ['add', '--intent-to-add', '--ignore-errors', '--', '.'],
  ]
  for (const step of steps) {
    const done = await run(step)
    if (done.timedOut) return unknown('git took too long')
    if (done.code !== 0 && step[0] === 'read-tree')
      return unknown(`the commit ${since.slice(0, 12)} is not there any more`)
  }
  const diff = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all', '-M']
  const list = await run([...diff, '--numstat', '-z', '--no-renames', since], MOST_LIST_BYTES)
  const patch = await run([...diff, since], MOST_PATCH_BYTES)
  if (list.timedOut || patch.timedOut) return unknown('git took too long')
  if (list.code !== 0 || patch.code !== 0) return unknown(`git says: ${patch.stderr || list.stderr}`)
  const files = filesIn(list.stdout)
  return {
    kind: 'known',
    since,
    files: files.slice(0, MOST_FILES),
    filesLeftOut: Math.max(0, files.length - MOST_FILES),
    ...cut(patch.stdout),
  }
}

const filesIn = (list: string): ChangedFile[] =>
  list
    .split('\0')
    .filter(Boolean)
    .map((row) => {
      const [added = '', removed = '', ...path] = row.split('\t')
      const lines = (text: string) => (text === '-' ? null : Number(text))
      return { path: path.join('\t'), added: lines(added), removed: lines(removed) }
    })

/** What is longer was dropped by `exec`; the last line may be half a line then. */
function cut(patch: string): { patch: string; isCut: boolean } {
  const isCut = Buffer.byteLength(patch) >= MOST_PATCH_BYTES - 3
  return { patch: isCut ? patch.slice(0, patch.lastIndexOf('\n') + 1) : patch, isCut }
}

const unknown = (why: string): Changes => ({ kind: 'unknown', why })

const PLAIN: Env = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C.UTF-8',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
}

const git = (args: readonly string[], cwd: string, env: Env, mostBytes?: number): Promise<ExecResult> =>
  exec(['git', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', ...args], {
    cwd,
    env: { HOME: process.env.HOME ?? '/', ...env },
    timeoutMs: LIMIT_MS,
    ...(mostBytes === undefined ? {} : { mostBytes }),
  })
