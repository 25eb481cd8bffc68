import { defineConfig } from 'vitest/config'
import { startsProcesses } from './test/quick.ts'

/** What starts no processes: `npm run test:quick`. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: startsProcesses.map((place) => (place.endsWith('/') ? `${place}**` : place)),
    setupFiles: ['test/helpers/no-processes.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // A process of its own for each file takes longer than what most of these files do.
    isolate: false,
  },
})
