import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export function sourceFiles(below: string, ending = '.ts'): string[] {
  return readdirSync(below, { recursive: true, encoding: 'utf8' })
    .map((name) => join(below, name))
    .filter((name) => name.endsWith(ending))
    .sort()
}

/** `src/store/open.ts` → `store`; a package or builtin has no room. */
export const roomOf = (file: string) => /^src\/([^/]+)\//.exec(file)?.[1]

/** Files of the project that a file imports, also lazily or for types only. */
export function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) => path!)
  return specifiers.map((path) => normalize(join(dirname(file), path)))
}
