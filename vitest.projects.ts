// The two halves of `npm test`. What starts no processes needs the processor, the rest mostly waits for others.
import { statfsSync } from 'node:fs'
import { startsProcesses } from './test/quick.ts'

/** Temporary files in memory, where the machine has room for them: most of the time of small tests goes into making files. */
function inMemory(): { TMPDIR?: string } {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 2 ** 30 ? { TMPDIR: '/dev/shm' } : {}
  } catch {
    return {}
  }
}

const common = { testTimeout: 30_000, hookTimeout: 60_000, pool: 'forks' } as const

export const withoutProcesses = {
  ...common,
  name: 'quick',
  include: ['test/**/*.test.ts'],
  exclude: startsProcesses.map((place) => (place.endsWith('/') ? `${place}**` : place)),
  setupFiles: ['test/helpers/no-processes.ts'],
  env: inMemory(),
  maxWorkers: 2,
  // A process of its own for each file takes longer than what most of these files do.
  isolate: false,
  sequence: { groupOrder: 0 },
}

export const withProcesses = {
  ...common,
  name: 'real',
  include: startsProcesses.map((place) => (place.endsWith('/') ? `${place}**/*.test.ts` : place)),
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
}
