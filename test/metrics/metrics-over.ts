// The metrics over a real store, and how a test reads them.
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { asNodeId } from '../../src/domain/names/ids.ts'
import { Metrics, type MetricsNeeds } from '../../src/metrics/metrics.ts'
import { openStore } from '../../src/store/open-store.ts'
import { systemClock } from '../../src/system/clock.ts'
import { tempDir } from '../helpers/temp-dir.ts'

export const daemon: MetricsNeeds['daemon'] = {
  now: systemClock.now,
  tmuxHealth: () => 'up',
  waiters: () => 0,
  holdPruning: () => [],
  disk: () => ({ bytes: 7, warning: null }),
  freeBytes: async () => 1000,
}

export async function metricsOver(needs: Partial<MetricsNeeds> = {}) {
  const node = { id: asNodeId('n1'), host: 'here', pid: 1, version: '0' }
  const store = await openStore({ path: join(tempDir(), 'db'), node, clock: systemClock })
  onTestFinished(() => store.close())
  const metrics = new Metrics({
    store,
    daemon,
    channels: [],
    clock: systemClock,
    build: { version: '1.2.3', node: 'v20', store: 'sqlite' },
    ofProcess: false,
    ...needs,
  })
  /** Commits, and lets the metrics hear of it, as the core does. */
  const commit = async (change: Parameters<typeof store.commit>[0]) => {
    const committed = await store.commit(change)
    metrics.hear(committed)
    return committed
  }
  return { store, metrics, commit, values: async () => valuesIn(await metrics.text()) }
}

/** `name{labels}` → value, without buckets. */
export function valuesIn(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !/^#|_bucket\{/.test(line))
  return Object.fromEntries(
    lines.map((line) => [line.replace(/ [^ ]*$/, ''), Number(line.replace(/^.* /, ''))]),
  )
}
