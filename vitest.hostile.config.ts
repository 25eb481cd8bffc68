import { defineConfig } from 'vitest/config'

/** A thousand prompts for terminals with bad manners, some ten minutes: `npm run test:hostile`. */
export default defineConfig({
  test: {
    include: ['test/hostile/*.hostile.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
