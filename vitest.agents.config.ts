import { defineConfig } from 'vitest/config'

/** Tests with the real agent CLIs: `npm run test:agents`. */
export default defineConfig({
  test: {
    include: ['test/real-agents/*.real.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
