// Every attack in docs/security.md names a test, and that test is there.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/security.md', 'utf8')
const rows = [...page.matchAll(/^\| (.+) \| .+ \| `(test\/[^`]+)`: (.+) \|$/gm)].map(
  ([, attack, file, title]) => ({ attack: attack!, file: file!, title: title! }),
)

test('every row of the table names a test', () => {
  const [, table = ''] = page.split('| attack | what happens | shown by |\n|---|---|---|\n')
  const lines = table
    .split('\n\n')[0]!
    .split('\n')
    .filter((line) => line !== '')
  expect(rows.length).toBe(lines.length)
  expect(rows.length).toBeGreaterThan(20)
})

test.each(rows)('$attack: its test is there', ({ file, title }) => {
  const titles = [...readFileSync(file, 'utf8').matchAll(/\btest(?:\.\w+\(.*?\))?\(\s*'([^']+)'/g)]
  expect(titles.filter(([, known]) => known!.startsWith(title))).toHaveLength(1)
})
