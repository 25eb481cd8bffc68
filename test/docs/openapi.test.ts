import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openApi } from '../../src/server/contract/openapi.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const page = 'docs/openapi.json'

test('docs/openapi.json is what the daemon serves', () => {
  const wanted = `${JSON.stringify(openApi(version), null, 2)}\n`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, wanted)
  expect(readFileSync(page, 'utf8'), 'run UPDATE_DOCS=1 npx vitest run test/docs').toBe(wanted)
})
