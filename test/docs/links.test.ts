import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { codeSpans, pages, readPage } from './pages.ts'

const linksOf = (page: string) =>
  [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^https?:/.test(target))

test.each(pages)('the links of %s lead somewhere', (page) => {
  const broken = linksOf(page).filter((link) => {
    const [path, anchor] = link.split('#') as [string, string?]
    const target = path === '' ? page : join(dirname(page), path)
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
  })
  expect(broken).toEqual([])
})

test('every page is linked from another one', () => {
  const linked = new Set(
    pages.flatMap((page) => linksOf(page).map((link) => join(dirname(page), link.split('#')[0]!))),
  )
  expect(pages.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([])
})

test.each(pages)('the files that %s names exist', (page) => {
  const named = codeSpans(readPage(page)).filter((code) =>
    /^(src|test|docs|scripts|\.ci)\/[\w./-]+$/.test(code),
  )
  expect(named.filter((file) => !existsSync(file))).toEqual([])
})

/** As GitHub makes them. */
const anchorsOf = (page: string) =>
  [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
