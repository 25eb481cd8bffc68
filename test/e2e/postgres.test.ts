import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCatalogue } from '../../src/domain/errors/catalogue.ts'
import { boardOf } from '../helpers/board.ts'
import { doorTo } from '../helpers/door.ts'
import { usePostgres } from '../helpers/postgres.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

const postgres = usePostgres()

test('a daemon on PostgreSQL that is killed in the middle of a task loses nothing', async () => {
  const world = await startWorld({ config: `store.url: ${JSON.stringify(await postgres.freshUrl())}\n` })
  const id = await world.run('do: say one\ndo: wait-for go\ndo: say two\ndo: finish done')
  await waitFor('it to work', async () => (await world.status(id)).phase === 'working')
  await world.killDaemon()
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
  const output = await world.ok(['logs', id])
  for (const word of ['one', 'two']) expect(output.split(`agent: ${word}`)).toHaveLength(2)
  expect(world.heard()).toHaveLength(1)
})

test('the store goes away while the board is open: the board says so, and shows what happened when it is back', async () => {
  const url = new URL(await postgres.freshUrl())
  const door = await doorTo(Number(url.port))
  url.port = String(door.port)
  const world = await startWorld({ config: `store.url: ${JSON.stringify(url.href)}\n` })
  await world.run('do: wait-for go\ndo: finish done', '--name', 'ender')
  const board = await boardOf(world)
  await board.until(/▸ ● ender[\s\S]* live$|live\n[\s\S]*▸ ● ender/)
  await door.shut()
  const shown = await board.until(/the store does not answer for \d+s/)
  expect(shown).toContain('▸ ● ender')
  const drawn = board.tmux('capture-pane', '-p', '-e', '-t', 'person').split('\n')
  expect(drawn.find((line) => line.includes('AT WORK'))).toContain('\x1b[2m')
  writeFileSync(join(world.project, 'go'), '')
  await door.open()
  const healed = await board.until(/DONE 1\n▸ ✓ ender +completed/, 20_000)
  expect(healed).toMatch(/ live$/m)
})

test('a database that is not there is told with what to do', async () => {
  const world = await startWorld({ config: 'store.url: postgres://nobody:x@127.0.0.1:1/none\n' })
  const said = await world.cli(['list'])
  expect(said).toMatchObject({ code: 2, stderr: expect.stringContaining('STORE_UNREACHABLE') })
  expect(said.stderr).toContain(`Try:   ${errorCatalogue.STORE_UNREACHABLE.hint}`)
})
