// The documentation as the tests read it: pages, sections, tables, code.
import { readFileSync } from 'node:fs'
import { sourceFiles } from '../helpers/source-files.ts'

export const pages = [
  'README.md',
  'SKILL.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...sourceFiles('docs', '.md'),
]

export const readPage = (page: string) => readFileSync(page, 'utf8')

/** The text below a heading, up to the next one that is not deeper. */
export function section(page: string, heading: string): string {
  const [marks = ''] = heading.split(' ', 1)
  const [, after] = `\n${readPage(page)}`.split(`\n${heading}\n`)
  if (after === undefined) throw new Error(`${page} has no heading '${heading}'`)
  return after.split(new RegExp(`\n#{1,${marks.length}} `), 1)[0]!
}

/** The cells of each table row whose first cell is code; that cell without its backticks. */
export function codeRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('| `'))
  return lines.map((line) => {
    const [first = '', ...rest] = line.slice(2, -2).split(' | ')
    return [first.replaceAll('`', ''), ...rest]
  })
}

export const firstCells = (text: string) => codeRows(text).map(([first]) => first!)

const FENCE = /^ *```(\w*)\n([\s\S]*?)^ *```$/gm

/** Each code block of a page in one language, as it stands. */
export const codeBlocks = (page: string, language: string) =>
  [...readPage(page).matchAll(FENCE)].flatMap(([, lang, code]) => (lang === language ? [code!] : []))

/** The lines of all code blocks in one language. */
export const codeBlockLines = (text: string, language: string) =>
  [...text.matchAll(FENCE)].flatMap(([, lang, code]) =>
    lang === language ? code!.split('\n').map((line) => line.trim()) : [],
  )

/** Inline code, also where it is broken over two lines. */
export const codeSpans = (text: string) =>
  [...text.replace(FENCE, '').matchAll(/`([^`]+)`/g)].map(([, code]) => code!.replace(/\s+/g, ' '))
