import { defineConfig } from 'vitest/config'

/** The page in a real browser, before a real daemon: `npm run test:web`. */
export default defineConfig({
  test: {
    include: ['test/web/*.web.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // A browser, a daemon and its agents: two such worlds keep two cores busy.
    maxWorkers: 2,
  },
})
