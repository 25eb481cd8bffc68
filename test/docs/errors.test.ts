import { expect, test } from 'vitest'
import { errorCatalogue } from '../../src/domain/errors/catalogue.ts'
import { readPage, section } from './pages.ts'

const page = 'docs/errors.md'

test.each(Object.entries(errorCatalogue))('%s is explained, with its numbers', (code, { exit, http }) => {
  expect(section(page, `## ${code}`)).toMatch(new RegExp(`^\nExit ${exit}, HTTP ${http}\\. \\S.{20}`))
})

test('the page has the codes in the order of the catalogue, and no other', () => {
  const codes = [...readPage(page).matchAll(/^## (.+)$/gm)].map(([, code]) => code)
  expect(codes).toEqual(Object.keys(errorCatalogue))
})
