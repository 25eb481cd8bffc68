import { defineConfig } from 'vitest/config'

/** Tests with the real agent CLIs: `npm run test:agents`. */
export default defineConfig({
  test: {
    include: ['test/real-agents/*.real.ts'],
    // Longer than two waits of a test, so that what it waited for is named.
    testTimeout: 240_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
