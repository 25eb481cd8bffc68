// Makes the pictures of the page: every screen in light, dark and on a phone, into docs/screens/ or `--out <dir>`.
// `--only <name>`: only the screens whose name begins so.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'

const { values } = parseArgs({ options: { out: { type: 'string' }, only: { type: 'string' } } })
const vitest = await createVitest('test', {
  config: 'vitest.web.config.ts',
  include: ['test/web/screenshots.ts'],
  testTimeout: 600_000,
  watch: false,
  env: {
    HOLDFAST_PICTURES: resolve(values.out ?? new URL('../docs/screens', import.meta.url).pathname),
    HOLDFAST_PICTURES_OF: values.only ?? '',
  },
})
await vitest.start()
await vitest.close()
