// Several nodes on one store: each tells of its own tasks, by its own channels.
import { expect, onTestFinished, test } from 'vitest'
import { asNodeId } from '../../src/domain/names/ids.ts'
import { NOTICE_KINDS } from '../../src/domain/notify/notice.ts'
import { noticesSubscription } from '../../src/notify/subscription.ts'
import { DurableSubscriber } from '../../src/supervisor/listening/durable-subscriber.ts'
import { startNotify } from './notify-world.ts'

const other = asNodeId('another-node')
const kindsFor = async () => NOTICE_KINDS

test('a node that tells nobody, and is started later, keeps no other from telling', async () => {
  const it = await startNotify()
  const { id } = await it.agent('one')
  const silent = new DurableSubscriber(
    noticesSubscription({ desk: it.desk, nodeId: other, rules: [], channels: [], kindsFor }),
    it.core,
  )
  await silent.start()
  onTestFinished(() => silent.stop())
  await it.finishes(id)
  await it.clock.pass(60_000)
  expect(it.sent.flatMap(({ notices }) => notices.map(({ sessionId }) => sessionId))).toEqual([id])
})

test('a node tells of its own tasks alone', async () => {
  const it = await startNotify()
  await it.finishes((await it.agent('one')).id)
  await it.untilSent(1)
  const events = await it.core.store.events(0, 1000)
  const completed = events.find(({ kind }) => kind === 'task_completed')!
  const givenUp = {
    ...completed,
    kind: 'server_given_up',
    taskId: null,
    data: { deaths: 3, retryAt: 0 },
  } as const
  const byNode = (nodeId: typeof other) =>
    noticesSubscription({ desk: it.desk, nodeId, rules: [], channels: ['phone'], kindsFor })
  for (const event of [completed, givenUp]) {
    expect(await byNode(other).handle(event)).toBeUndefined()
    expect(await byNode(it.core.store.nodeId).handle(event)).toMatchObject({
      notices: [{ channel: 'phone' }],
    })
  }
})
