import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HoldfastError } from '../../../src/domain/errors.ts'
import { asTaskId, type TaskId } from '../../../src/domain/names/ids.ts'
import { carryOutAll } from '../../../src/server/streams/bulk-order.ts'

const ids = Array.from({ length: 100 }, (_, n) => asTaskId(`task-${n}`))

function order(give: (id: TaskId) => Promise<() => Promise<string>>) {
  const done: string[] = []
  const failed: string[] = []
  const onDone = (_: TaskId, result: string) => void done.push(result)
  const onFailed = (id: TaskId, { code }: HoldfastError) => void failed.push(`${id} ${code}`)
  return { ids, give, onDone, onFailed, done, failed }
}

test('all are ordered a few at a time, and none waits for another to be carried out', async () => {
  let giving = 0
  let most = 0
  let ordered = 0
  let release = () => {}
  const allOrdered = new Promise<void>((resolve) => {
    release = resolve
  })
  const bulk = order(async (id) => {
    most = Math.max(most, ++giving)
    await sleep(1)
    giving--
    if (++ordered === ids.length) release()
    return async () => {
      await allOrdered
      return id
    }
  })
  expect(await carryOutAll(bulk, new AbortController().signal)).toBe(true)
  expect(bulk.done.sort()).toEqual([...ids].sort())
  expect(most).toBeLessThan(20)
})

test('one that fails, at the order or later, is told and keeps nobody else', async () => {
  const bulk = order(async (id) => {
    if (id === ids[3]) throw new HoldfastError('STORE_LOCKED', 'locked')
    return async () => {
      if (id === ids[5]) throw new Error('odd')
      return id
    }
  })
  expect(await carryOutAll(bulk, new AbortController().signal)).toBe(true)
  expect(bulk.failed.sort()).toEqual(['task-3 STORE_LOCKED', 'task-5 INTERNAL'])
  expect(bulk.done).toHaveLength(98)
})

test('an order that was carried out leaves nothing listening for the end of the daemon', async () => {
  const { signal } = new AbortController()
  const bulk = order(async (id) => async () => id)
  expect(await carryOutAll(bulk, signal)).toBe(true)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a daemon that stops gives no further order, and does not wait for those that were given', async () => {
  const stopping = new AbortController()
  let given = 0
  const bulk = order(async () => {
    if (++given === 10) stopping.abort()
    return () => new Promise(() => {})
  })
  expect(await carryOutAll(bulk, stopping.signal)).toBe(false)
  expect(given).toBeLessThan(30)
})
