// What the store has committed, read from its file: the daemon that is measured does not notice.
import { setTimeout as pause } from 'node:timers/promises'
import { openSqlite } from '../../src/store/database/sqlite-library.ts'
import type { Home } from './home.ts'

const LOOK_EVERY_MS = 1
const PATIENCE_MS = 120_000

export type Commits = ReturnType<typeof openCommits>

/** Once the daemon runs: it makes the tables. */
export function openCommits({ paths }: Home) {
  const sqlite = openSqlite(paths.database)
  const newest = sqlite.prepare('SELECT max(seq) AS seq FROM events')
  const since = sqlite.prepare('SELECT seq, kind FROM events WHERE seq > ? ORDER BY seq')
  return {
    last: () => Number(newest.get().seq),
    /** When each of the next events of this kind was first seen here, on this process's monotonic clock. */
    async arrivals(kind: string, count: number, after: number): Promise<number[]> {
      const arrived: number[] = []
      const deadline = performance.now() + PATIENCE_MS
      for (let seen = after; arrived.length < count; await pause(LOOK_EVERY_MS)) {
        const now = performance.now()
        if (now > deadline) throw new Error(`${arrived.length} of ${count} ${kind} in ${PATIENCE_MS} ms`)
        for (const event of since.all(seen)) {
          seen = Number(event.seq)
          if (event.kind === kind) arrived.push(now)
        }
      }
      return arrived
    },
    close: () => sqlite.close(),
  }
}
