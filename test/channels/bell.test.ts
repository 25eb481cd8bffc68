import { expect, test } from 'vitest'
import { terminalsOf } from '../../src/daemon/terminals-of.ts'
import type { TaskId } from '../../src/domain/names/ids.ts'
import { taskId } from '../builders/ids.ts'
import { aTask } from '../builders/task.ts'
import { aNotice, openChannel, told } from './channel-world.ts'

const [removed, alive, alsoAlive] = [taskId('removed'), taskId('alive'), taskId('also-alive')]

const tasks = {
  getIfExists: async (id: TaskId) => (id === removed ? undefined : aTask({ id })),
}

test('a session that was removed keeps the bell from ringing for no other', async () => {
  const shown: Record<string, string[]> = {
    [alive]: ['/dev/pts/1', '/dev/pts/2'],
    [alsoAlive]: ['/dev/pts/2'],
  }
  const terminal = { terminalsAt: async (id?: string) => shown[id ?? ''] ?? [] }
  const rung: string[] = []
  const channel = openChannel(
    { type: 'bell' },
    {},
    { ring: async (ids) => void rung.push(...(await terminalsOf(ids, tasks, terminal))) },
  )
  const notices = [alive, removed, alsoAlive].map((sessionId) => aNotice({ sessionId }))
  expect(await channel.send(told(...notices))).toEqual({ kind: 'sent' })
  expect(rung).toEqual(['/dev/pts/1', '/dev/pts/2'])
})
