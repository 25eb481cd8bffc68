import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedSections, withSection } from './generated-sections.ts'
import { readPage } from './pages.ts'

const update = process.env.UPDATE_DOCS === '1'

test.each(generatedSections())('$page shows $name as the code has it', (generated) => {
  const { page } = generated
  const wanted = withSection(readPage(page), generated)
  if (update) writeFileSync(page, wanted)
  expect(readPage(page), 'run UPDATE_DOCS=1 npx vitest run test/docs').toBe(wanted)
})
