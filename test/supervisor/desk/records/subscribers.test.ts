// What people are told of the readers of the journal where two daemons share one store.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nameAtNode } from '../../../../src/domain/journal/subscriber-name.ts'
import type { Store } from '../../../../src/ports/store/store.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { subscribersDesk } from '../../../../src/supervisor/desk/records/subscribers.ts'
import { newUpkeep } from '../../../../src/supervisor/task/upkeep.ts'
import { NOON } from '../../../builders/ids.ts'
import { tempDir } from '../../../helpers/temp-dir.ts'
import { TestClock } from '../../../helpers/test-clock.ts'
import { nodeFacts } from '../../../store/samples.ts'

async function twoNodes() {
  const clock = new TestClock()
  const path = join(tempDir(), 'holdfast.db')
  const open = async (id: string) => {
    const store = await openStore({ path, node: nodeFacts(id), clock })
    onTestFinished(() => store.close())
    return store
  }
  const [here, there] = [await open('node-a'), await open('node-b')]
  const upkeep = newUpkeep()
  const desk = subscribersDesk(
    { takeUpAll: async () => {} },
    { store: here, commit: here.commit, clock, upkeep },
  )
  return { here, there, upkeep, desk }
}

/** Its reader `unread` could not handle one of its own events. */
async function setAside(store: Store): Promise<void> {
  const draft = { at: NOON, kind: 'server_started', taskId: null, data: {} } as const
  const [event] = (await store.commit({ event: draft })).events
  const subscriber = nameAtNode('unread', store.nodeId)
  await store.commit({ setAside: { subscriber, event: event!, at: NOON, error: 'no' } })
}

test('a retry is noted with the number of events that this daemon has set aside, not those of another', async () => {
  const { here, there, desk } = await twoNodes()
  for (const store of [here, here, there]) await setAside(store)
  await desk.retry('ann')
  expect(await here.audits({ kind: 'event_retried' })).toMatchObject([{ actor: 'ann', detail: '2 events' }])
  expect((await desk.troubles()).setAside).toBe(2)
})

test('who keeps old events is named as people know it, and with its node when it is of another daemon', async () => {
  const { here, there, upkeep, desk } = await twoNodes()
  upkeep.heldBy = [nameAtNode('unread', here.nodeId), nameAtNode('unread', there.nodeId)]
  expect((await desk.troubles()).heldBy).toEqual(['unread', 'unread@node-b'])
})
