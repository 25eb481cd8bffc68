import { defineConfig } from 'vitest/config'

/** Recovery, the whole drill, page and board with the real agent CLIs, twenty minutes: `npm run test:agents:slow`. */
export default defineConfig({
  test: {
    include: ['test/real-agents/*.slow.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
