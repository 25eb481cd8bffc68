import { defineConfig } from 'vitest/config'

/** Recovery and the whole drill with the real agent CLIs, a quarter of an hour: `npm run test:agents:slow`. */
export default defineConfig({
  test: {
    include: ['test/real-agents/*.slow.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
