// Events that an error in Holdfast could have written: they are there before the daemon starts again.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventDraft } from '../../src/domain/journal/events.ts'
import { homePaths } from '../../src/domain/names/home.ts'
import { asThreadId } from '../../src/domain/names/ids.ts'
import { openSqlite } from '../../src/store/database/sqlite-library.ts'
import { openStore } from '../../src/store/open-store.ts'
import { nodeFacts } from '../store/samples.ts'
import type { World } from './world.ts'

/** Events of the daemon's own node, in the journal before it starts again. */
export async function eventsWhileDown(world: World, events: readonly EventDraft[]): Promise<void> {
  await world.ok(['up'])
  await world.ok(['down'])
  const path = join(world.home, 'holdfast.db')
  const store = await openStore({ path, node: nodeFacts(nodeOf(world)), clock: { now: Date.now } })
  for (const event of events) await store.commitSoon({ event })
  await store.close()
  await world.ok(['up'])
}

/** The node of this world's daemon. */
export const nodeOf = ({ home }: World) => readFileSync(join(home, 'node-id'), 'utf8').trim()

/** No subscriber can handle it: nobody has read on. */
export const anImpossibleEvent = (): EventDraft => ({
  at: Date.now(),
  kind: 'cursor_moved',
  taskId: null,
  data: { thread: asThreadId('any'), reader: null as unknown as string, number: 1 },
})

/** While no daemon runs: as if more had happened, of which only the last event is kept. */
export function pruneWhileDown({ home }: World): void {
  const sqlite = openSqlite(homePaths(home).database)
  try {
    sqlite.exec('DELETE FROM events WHERE seq < (SELECT max(seq) FROM events)')
    sqlite.exec('UPDATE events SET seq = seq + 5')
    sqlite.exec("UPDATE counters SET value = value + 5 WHERE name = 'event_seq'")
  } finally {
    sqlite.close()
  }
}
