import { defineConfig } from 'vitest/config'

/** What takes a minute or more by its nature: `npm run test:long`. */
export default defineConfig({
  test: {
    include: ['test/e2e/*.long.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
