// A child's end is stored with what its parent is told of it: also when the daemon was dead, or both end at once.
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

const FAMILIES = 12

test('children that end in the same moment as their headless parents are told to each of them', async () => {
  const world = await startWorld({ config: 'recursion.depth: 1\nwake.quiet: 500ms\nmaxConcurrent: 60\n' })
  const parents: string[] = []
  for (let n = 0; n < FAMILIES; n++) {
    const script = join(world.project, `start${n}.sh`)
    const child = `printf "do: wait-for go\\ndo: finish ok" | holdfast run --file - --name child${n}`
    writeFileSync(script, `${child} >started${n}\n`)
    parents.push(await world.run(`do: run sh ${script}\ndo: wait-for go\ndo: finish started one`))
  }
  await waitFor(
    'the children to work',
    async () => {
      const { tasks } = await world.json<{ tasks: TaskJson[] }>(['list', '--limit', '100'])
      const atWork = tasks.filter(({ parent_session, phase }) => parent_session && phase === 'working')
      return atWork.length === FAMILIES
    },
    60_000,
  )
  await waitFor('the parents to know', () =>
    parents.every((_, n) => existsSync(join(world.project, `started${n}`))),
  )
  writeFileSync(join(world.project, 'go'), '')
  for (const id of parents) await world.untilStatus(id, 'COMPLETED', 60_000)
  expect(world.heard().filter(({ heard }) => heard.includes('There is news of'))).toHaveLength(FAMILIES)
}, 180_000)
