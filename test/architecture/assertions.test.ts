import { readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { sourceFiles } from '../helpers/source-files.ts'

/** `x!` claims what nothing checks. Most of those left stand for indices in an algorithm. This number only goes down. */
const MOST_ASSERTIONS = 41

function assertionsIn(file: string): number {
  let found = 0
  const count = new Visitor({ TSNonNullExpression: () => void found++ })
  count.visit(parseSync(file, readFileSync(file, 'utf8')).program)
  return found
}

test('the sources do not assert more often that something is there', () => {
  const rows = sourceFiles('src').map((file) => ({ file, found: assertionsIn(file) }))
  const total = rows.reduce((sum, { found }) => sum + found, 0)
  const where = rows.filter(({ found }) => found > 0).sort((a, b) => b.found - a.found)
  expect(total, where.map(({ file, found }) => `${found} in ${file}`).join('\n')).toBeLessThanOrEqual(
    MOST_ASSERTIONS,
  )
})
