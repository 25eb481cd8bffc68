// Writes the types of `holdfast/client`: declarations of its files and of all that they name.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export function writeTypes(root, out) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', `${root}src`]
  execFileSync(
    process.execPath,
    [tsc, '-p', `${root}scripts/client-types.json`, ...options, '--outDir', out],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    // The source names its files with .ts; beside a declaration there is none.
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(['"]\.[^'"\n]*)\.ts(['"])/g, '$1.js$2'))
  }
}
