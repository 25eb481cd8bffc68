import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { findTask } from '../../../src/supervisor/task/find-task.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { clock, create, nodeFacts } from '../../store/samples.ts'
import { markArchived, markTidied } from '../../store/writes.ts'

async function aStore() {
  const store = await openStore({ path: join(tempDir(), 'holdfast.db'), node: nodeFacts(), clock })
  onTestFinished(() => store.close())
  const found = async (text: string) => (await findTask(store, text)).id
  const cancel = (name: string) =>
    store.commit({ task: { ...aMove(taskId(name), 'pending', 'cancelled'), set: { endedAt: NOON } } })
  return { store, found, cancel }
}

test('a session is found by its id, also when it begins like another', async () => {
  const { store, found } = await aStore()
  await create(store, 'shop')
  await create(store, 'shop-2')
  expect(await found(taskId('shop'))).toBe(taskId('shop'))
})

test('a session is found by the beginning of its id, or any part of it that no other has', async () => {
  const { store, found } = await aStore()
  await create(store, 'grafana-validator')
  await create(store, 'other')
  for (const part of [taskId('graf'), 'grafana-validator', 'validator', '-g', 'fana'])
    expect(await found(part)).toBe(taskId('grafana-validator'))
})

test('a part that several have is refused with the ids to choose from', async () => {
  const { store, found } = await aStore()
  for (const name of ['validator-a', 'validator-b']) await create(store, name)
  await expect(found('valid')).rejects.toMatchObject({
    code: 'AMBIGUOUS_ID',
    message: `More than one session has 'valid' in its id: ${taskId('validator-b')}, ${taskId('validator-a')}.`,
  })
  for (let n = 0; n < 9; n++) await create(store, `more-valid-${n}`)
  await expect(found('valid')).rejects.toThrow(/and others\.$/)
  await expect(found('2025')).rejects.toThrow(/^More than one session begins with '2025'/)
})

test('a part is taken literally', async () => {
  const { store, found } = await aStore()
  await create(store, 'a_b')
  await create(store, 'axb')
  expect(await found('a_b')).toBe(taskId('a_b'))
  await expect(found('a%b')).rejects.toMatchObject({ code: 'INVALID_ID' })
})

test('of several sessions with one name, the newest that has not ended is meant', async () => {
  const { store, found, cancel } = await aStore()
  await create(store, 'one', { name: 'nightly', createdAt: NOON })
  await create(store, 'two', { name: 'nightly', createdAt: NOON + 1 })
  await create(store, 'three', { name: 'nightly', createdAt: NOON + 2 })
  await cancel('three')
  expect(await found('nightly')).toBe(taskId('two'))
  await cancel('two')
  await cancel('one')
  await expect(found('nightly')).rejects.toMatchObject({
    code: 'AMBIGUOUS_ID',
    message: `More than one session was named 'nightly', and all of them have ended: ${['three', 'two', 'one'].map(taskId).join(', ')}.`,
  })
})

test('a name that one ended session had still finds it', async () => {
  const { store, found, cancel } = await aStore()
  await create(store, 'one', { name: 'nightly' })
  await create(store, 'like-nightly-too')
  await cancel('one')
  expect(await found('nightly')).toBe(taskId('one'))
})

test('`last` is the session created last, those in the archive aside', async () => {
  const { store, found, cancel } = await aStore()
  await expect(found('last')).rejects.toThrow('There is no session yet.')
  await create(store, 'older', { createdAt: NOON })
  await create(store, 'newer', { createdAt: NOON + 1 })
  await create(store, 'the-last-word', { createdAt: NOON - 1 })
  expect(await found('last')).toBe(taskId('newer'))
  await cancel('newer')
  expect(await found('last')).toBe(taskId('newer'))
  await markTidied(store, taskId('newer'))
  await markArchived(store, taskId('newer'), NOON)
  expect(await found('last')).toBe(taskId('older'))
})

test('what is no id, name or part of one is refused; what nobody has is not found', async () => {
  const { store, found } = await aStore()
  await create(store, 'one')
  for (const text of ['', '../x', 'a b', 'é', 'a/b', 'x'.repeat(97)])
    await expect(found(text)).rejects.toMatchObject({ code: 'INVALID_ID' })
  await expect(found('nothing-like-it')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' })
})
