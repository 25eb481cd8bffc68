import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBlockLines, pages, readPage } from './pages.ts'

test.each(['npm ci && npm run demo', 'npm ci && npm test'])('the README shows `%s`', (command) => {
  expect(codeBlockLines(readPage('README.md'), 'sh')).toContain(command)
})

test('the changelog gathers changes under one Pending heading', () => {
  expect(readPage('CHANGELOG.md').match(/^#+ Pending$/gm)).toEqual(['## Pending'])
})

test('the glossary has each term once, and one with two meanings says which is meant', () => {
  const terms = [...readPage('docs/GLOSSARY.md').matchAll(/^- (\*\*.+?\*\*(?: \([^)]*\))?)/gm)].map(
    ([, term]) => term,
  )
  expect(terms.length).toBeGreaterThan(90)
  expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([])
})

const words = 'agent role task session run runtime trigger workspace node evidence'.split(' ')
test.each(words)('the glossary explains %s in one sentence', (word) => {
  const line = readPage('docs/GLOSSARY.md')
    .split('\n')
    .find((line) => line.startsWith(`- **${word}**: `))
  expect(line?.split(' *Avoid:* ')[0]).toMatch(/^[^.]*(\.\w[^.]*)*\.$/)
})

test.each([
  ['task', 'job'],
  ['run', 'attempt'],
  ['runtime', 'worker'],
  ['trigger', 'nudge'],
])('the glossary says %s, not %s', (word, avoided) => {
  expect(readPage('docs/GLOSSARY.md')).toMatch(
    new RegExp(`^- \\*\\*${word}\\*\\*: .* \\*Avoid:\\* .*\\b${avoided}\\b`, 'm'),
  )
})

const decisions = pages.filter((page) => /^docs\/adr\/\d/.test(page))

test.each(decisions)('%s tells context, decision and what was given up', (page) => {
  const headings = [...readPage(page).matchAll(/^##? (.+)$/gm)].map(([, heading]) => heading)
  expect(headings.slice(1)).toEqual(['Context', 'Decision', 'What we gave up'])
})

test('decisions are numbered without gaps, in file name and title', () => {
  const numbers = decisions.map((page) => [page.slice(9, 13), /^# (\d+)\. /.exec(readPage(page))?.[1]])
  expect(numbers).toEqual(decisions.map((_, at) => [String(at + 1).padStart(4, '0'), String(at + 1)]))
})

/** Directories of the machine something was written on, and package registries of its network. */
const telltale = /(?<![\w.<>-])\/(work|root)\/|https?:\/\/[\w.-]*(registry|artifactory|nexus)/i

test('no file tells of the machine it was written on', () => {
  const telling = projectFiles().filter((file) => telltale.test(readFileSync(file, 'utf8')))
  expect(telling).toEqual([])
})

test('the lockfile works with any registry', () => {
  expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"resolved": "http')
})

function projectFiles(dir = '.'): string[] {
  const ignored = [
    '.git',
    ...readFileSync('.gitignore', 'utf8')
      .split('\n')
      .map((line) => line.replace(/\/$/, '')),
  ]
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (ignored.includes(entry.name) || /\.(log|tgz)$/.test(entry.name)) return []
    const path = join(dir, entry.name)
    if (entry.isDirectory()) return projectFiles(path)
    return entry.isFile() ? [path] : []
  })
}
