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

/** In room `cli`, `src/cli/wire/client.ts` → `wire`; a file at the top of the room is its own sub-room. */
export const subRoomOf = (room: string, file: string) => file.slice(`src/${room}/`.length).split('/')[0]!

/** In a room (`cli`), in a sub-room (`cli/wire`), or that very file (`cli/commands.ts`). */
export const isIn = (place: string, file: string) =>
  file === `src/${place}` || file.startsWith(`src/${place}/`)

/** Files of the project that a file imports, also for types only, and lazily by `import()` unless told otherwise. */
export function importsOf(file: string, { lazily = true } = {}): string[] {
  const pattern = lazily ? /\b(?:from|import)\s*\(?\s*'([^']+)'/g : /\bfrom\s*'([^']+)'/g
  return specifiersIn(file, pattern)
    .filter((path) => path.startsWith('.'))
    .map((path) => normalize(join(dirname(file), path)))
}

/** Packages and builtins that a file imports. */
export const packagesOf = (file: string): string[] =>
  specifiersIn(file, /\b(?:from|import)\s*\(?\s*'([^']+)'/g).filter((path) => !path.startsWith('.'))

const specifiersIn = (file: string, pattern: RegExp) =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, path]) => path!)
