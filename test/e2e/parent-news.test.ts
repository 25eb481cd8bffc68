// A child's end is noted for its parent in the same commit as the place of the reader: also when the daemon was dead.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskJson } from '../../src/protocol/json/task-json.ts'
import { openSqlite } from '../../src/store/database/sqlite-library.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

function outboxOf(world: World) {
  const db = openSqlite(join(world.home, 'holdfast.db'))
  try {
    return db.prepare('select parent_id, child_id, what, bound_trigger from outbox order by seq').all()
  } finally {
    db.close()
  }
}

test('a child that ends while the daemon is dead is noted for its parent, once', async () => {
  const world = await startWorld({ config: 'recursion.depth: 1\n' })
  const script = join(world.project, 'start.sh')
  writeFileSync(
    script,
    'printf "do: wait-for go\\ndo: write done yes\\ndo: finish ok" | holdfast run --file - --name child >started\n',
  )
  const parent = await world.run(`do: run sh ${script}\ndo: hang`)
  const child = await waitFor('the child to work', async () => {
    const { tasks } = await world.json<{ tasks: TaskJson[] }>(['list'])
    return tasks.find(({ parent_session, phase }) => parent_session === parent && phase === 'working')
  })
  await world.killDaemon()
  writeFileSync(join(world.project, 'go'), '')
  await waitFor('the child to be done', () => existsSync(join(world.project, 'done')))
  await world.ok(['up'])
  await world.untilStatus(child.session_id, 'COMPLETED')
  const row = { parent_id: parent, child_id: child.session_id, what: 'completed', bound_trigger: null }
  await waitFor('the row', () => outboxOf(world).length > 0)
  await world.killDaemon()
  await world.ok(['up'])
  await world.ok(['down'])
  expect(outboxOf(world)).toEqual([row])
})
