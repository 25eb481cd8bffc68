import { defineConfig } from 'vitest/config'

/** The whole drill with each of the real agent CLIs, some minutes each: `npm run drill:agents`. */
export default defineConfig({
  test: {
    include: ['test/real-agents/drill.slow.ts'],
    testTimeout: 900_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
