// A repository of git in a directory of the test.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempDir } from './temp-dir.ts'

export function emptyRepository(...options: string[]) {
  const root = join(tempDir(), 'project')
  mkdirSync(root)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: root,
      encoding: 'utf8',
    }).trim()
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  git('init', '-q', ...options)
  return { root, git, write }
}

/** With one commit. */
export function repositoryWith(files: Readonly<Record<string, string>>, ...options: string[]) {
  const world = emptyRepository(...options)
  for (const [path, text] of Object.entries(files)) world.write(path, text)
  world.git('add', '-A')
  world.git('commit', '-qm', 'first')
  return { ...world, head: world.git('rev-parse', 'HEAD') }
}
