import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { asNodeId } from '../../../src/domain/names/ids.ts'
import { sqlite as backend, kyselyOver } from '../../../src/store/database/backends.ts'
import { groupSync } from '../../../src/store/database/group-sync.ts'
import { takeEpoch } from '../../../src/store/database/holding.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { sqliteDialect } from '../../../src/store/database/sqlite-dialect.ts'
import { openSqlite } from '../../../src/store/database/sqlite-library.ts'
import { storeOver } from '../../../src/store/open-store.ts'
import { NOON } from '../../builders/ids.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { create, nodeFacts } from '../samples.ts'

test('who waits while a sync runs gets one that began later, shared with all who came meanwhile', async () => {
  const path = join(tempDir(), 'file')
  writeFileSync(path, 'x')
  const disk = groupSync(path)
  onTestFinished(() => disk.close())
  const first = disk.wait()
  await new Promise((begun) => setImmediate(begun))
  const late = [disk.wait(), disk.wait()]
  expect(late[0]).not.toBe(first)
  expect(late[1]).toBe(late[0])
  await Promise.all([first, ...late])
})

test('a file that cannot be synced is told to everybody who waits, and tried again', async () => {
  const path = join(tempDir(), 'file')
  const disk = groupSync(path)
  onTestFinished(() => disk.close())
  await expect(disk.wait()).rejects.toMatchObject({ code: 'ENOENT' })
  writeFileSync(path, 'x')
  await disk.wait()
})

test('a task is promised only after its commit is on disk, and a decision returns no sooner', async () => {
  const path = join(tempDir(), 'holdfast.db')
  const db = kyselyOver(sqliteDialect(openSqlite(path)))
  const beside = openSqlite(path)
  onTestFinished(async () => {
    beside.close()
    await db.destroy()
  })
  const seen: unknown[] = []
  let onDisk = () => {}
  const disk = {
    wait: () => {
      seen.push(...beside.prepare('select id from tasks').all())
      return new Promise<void>((resolve) => {
        onDisk = resolve
      })
    },
    close: async () => {},
  }
  const database = { db, backend, disk }
  await migrate(database, NOON)
  const epoch = await takeEpoch(database, nodeFacts(), NOON)
  const store = storeOver({ ...database, nodeId: asNodeId('node-a'), epoch, now: () => NOON })
  let returned = false
  const creating = create(store, 'one').then(async () => {
    await store.onDisk()
    returned = true
  })
  await expect.poll(() => seen).toHaveLength(1)
  expect(returned).toBe(false)
  onDisk()
  await creating
  returned = false
  const deciding = store.commit({ openGate: 'none' }).then(() => {
    returned = true
  })
  await expect.poll(() => seen).toHaveLength(2)
  expect(returned).toBe(false)
  onDisk()
  await deciding
})
