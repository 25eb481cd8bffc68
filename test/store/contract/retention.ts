import { expect, test } from 'vitest'
import type { Store } from '../../../src/ports/store/store.ts'
import type { ListFilter } from '../../../src/ports/store/task-lists.ts'
import { anAudit } from '../../builders/audit.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { anInputDraft } from '../../builders/input.ts'
import { aMove } from '../../builders/move.ts'
import { aQuestionDraft } from '../../builders/question.ts'
import { aRunDraft } from '../../builders/run.ts'
import type { NewPlace, Open } from '../../contract/store-contract.ts'
import { everything, expectConsistent, rejectsWith } from '../expectations.ts'
import { create, launch } from '../samples.ts'
import { audit, markArchived, markTidied, removeTask, tell } from '../writes.ts'

/** A task that has ended and is tidied. */
async function end(store: Store, name: string, endedAt = NOON, tags: string[] = []) {
  const { id } = await create(store, name, { tags })
  await store.commit({ task: aMove(id, 'pending', 'cancelled', { set: { endedAt } }) })
  await markTidied(store, id)
  return id
}
const ids = (tasks: readonly { readonly id: string }[]) => tasks.map(({ id }) => id)

const rows = async (store: Store, filter: ListFilter) =>
  (await store.rowPage(filter, { after: null, most: 99, mostEnded: 99 })).items

const never = { eventsBefore: 0, eventsBeforeAll: 0, auditBefore: 0, runsBefore: 0, messagesBefore: 0 }

export function retention(newPlace: NewPlace) {
  const open: Open = async () => (await newPlace()).open()

  test('the key of a request goes with its task; one that belongs to none, when it is old', async () => {
    const store = await open()
    const alone = { createdBy: 'ada', route: 'r', key: 'k', digest: 'd', taskId: null, made: '', at: NOON }
    const id = await end(store, 'old')
    await store.commit({ requestKey: alone })
    await store.commit({ requestKey: { ...alone, key: 'of a task', taskId: id, at: NOON - 1 } })
    const known = (key: string) => store.requestWithKey({ ...alone, key })
    await store.prune({ ...never, auditBefore: NOON }, 50)
    expect(await known('k')).toEqual(alone)
    await store.prune({ ...never, auditBefore: NOON + 1 }, 50)
    expect(await known('k')).toBeUndefined()
    expect(await known('of a task')).toMatchObject({ taskId: id })
    await removeTask(store, id, anAudit())
    expect(await known('of a task')).toBeUndefined()
  })

  test('a removed task is gone with all that hung on it, and the counts agree', async () => {
    const store = await open()
    const run = await launch(store, 'old', { tags: ['x'], name: 'nightly' })
    await store.commit({ input: anInputDraft(run.id), question: aQuestionDraft(run) })
    await store.commit({
      run: { id: run.runId, from: 'launching', event: 'voided', set: { endedAt: NOON } },
      task: aMove(run.id, 'running', 'cancelled', { set: { endedAt: NOON } }),
    })
    await markTidied(store, run.id)
    const kept = await end(store, 'kept', NOON, ['x'])
    const before = await store.lastSeq()
    await removeTask(store, run.id, anAudit({ kind: 'task_removed', taskId: run.id }))
    expect(await store.task(run.id)).toBeUndefined()
    expect(await store.run(run.runId)).toBeUndefined()
    const left = [store.inputs(run.id), store.openQuestions(run.id), store.transitions(run.id)]
    expect(await Promise.all([...left, store.tasksNamed('nightly', 9)])).toEqual([[], [], [], []])
    expect(ids(await store.tasks({ tag: 'x' }))).toEqual([kept])
    expect(await store.counts()).toMatchObject({ cancelled: 1 })
    expect(await store.events(before, 9)).toMatchObject([{ kind: 'task_removed', taskId: run.id }])
    expect(await store.audits({ taskId: run.id, kind: 'task_removed' })).toHaveLength(1)
  })

  test('only an ended and tidied task is removed', async () => {
    const store = await open()
    const { id } = await create(store, 'new')
    await rejectsWith(removeTask(store, id, anAudit()), 'TASK_ACTIVE')
    await store.commit({ task: aMove(id, 'pending', 'cancelled', { set: { endedAt: NOON } }) })
    await rejectsWith(removeTask(store, id, anAudit()), 'TASK_ACTIVE')
    await rejectsWith(removeTask(store, taskId('none'), anAudit()), 'TASK_NOT_FOUND')
    expect(await store.task(id)).toMatchObject({ status: 'cancelled' })
  })

  test('an archived task is left out of lists, but can be asked for and still counts', async () => {
    const store = await open()
    const id = await end(store, 'old', NOON, ['x'])
    await create(store, 'new', { tags: ['x'] })
    const before = await store.lastSeq()
    expect(await markArchived(store, id, NOON + 9)).toBe(true)
    for (const list of [await store.tasks(), await rows(store, {}), await store.tasks({ tag: 'x' })])
      expect(ids(list)).toEqual([taskId('new')])
    expect(await store.tasks({ statuses: ['cancelled'], archived: false })).toEqual([])
    for (const filter of [
      {},
      { statuses: ['cancelled'], tag: 'x', project: '/project', limit: 1 },
    ] as const) {
      expect(ids(await store.tasks({ ...filter, archived: true }))).toEqual([id])
      expect(ids(await rows(store, { ...filter, archived: true }))).toEqual([id])
    }
    expect(await store.task(id)).toMatchObject({ status: 'cancelled', archivedAt: NOON + 9 })
    expect(await store.taskIdsLike(id, 9)).toEqual([id])
    expect(await store.counts()).toMatchObject({ pending: 1, cancelled: 1 })
    expect(await store.events(before, 9)).toMatchObject([
      { kind: 'task_archived', at: NOON + 9, taskId: id, data: { status: 'cancelled' } },
    ])
  })

  test('a task is archived once, and not before it has ended and is tidied', async () => {
    const store = await open()
    const id = await end(store, 'twice')
    const won = await Promise.all([1, 2].map((later) => markArchived(store, id, NOON + later)))
    expect(won.sort()).toEqual([false, true])
    await create(store, 'pending')
    await create(store, 'untidied')
    await store.commit({ task: aMove(taskId('untidied'), 'pending', 'failed', { set: { endedAt: NOON } }) })
    const before = await everything(store)
    for (const name of ['twice', 'pending', 'untidied'])
      expect(await markArchived(store, taskId(name), NOON + 9)).toBe(false)
    await rejectsWith(markArchived(store, taskId('none'), NOON), 'TASK_NOT_FOUND')
    expect(await everything(store)).toEqual(before)
  })

  test('what may be archived ended before a time, and comes oldest first', async () => {
    const store = await open()
    for (const [name, endedAt] of Object.entries({ c: NOON + 3, a: NOON + 1, b: NOON + 2, archived: NOON }))
      await end(store, name, endedAt)
    await markArchived(store, taskId('archived'), NOON)
    await create(store, 'pending')
    await create(store, 'untidied')
    await store.commit({ task: aMove(taskId('untidied'), 'pending', 'failed', { set: { endedAt: NOON } }) })
    expect(ids(await store.archivable(NOON + 9, 9))).toEqual(['a', 'b', 'c'].map(taskId))
    expect(ids(await store.archivable(NOON + 3, 9))).toEqual(['a', 'b'].map(taskId))
    expect(ids(await store.archivable(NOON + 9, 1))).toEqual([taskId('a')])
    expect(await store.archivable(NOON + 9, 9, { statuses: ['cancelled'] })).toHaveLength(3)
    for (const statuses of [['completed', 'failed'], []] as const)
      expect(await store.archivable(NOON + 9, 9, { statuses })).toEqual([])
    const [first] = await store.archivable(NOON + 9, 1)
    expect(first).toEqual({ id: taskId('a'), endedAt: NOON + 1 })
    expect(ids(await store.archivable(NOON + 9, 9, { after: first }))).toEqual(['b', 'c'].map(taskId))
  })

  test('a reopened task is back from the archive, and may be archived again', async () => {
    const store = await open()
    const id = await end(store, 'one')
    await markArchived(store, id, NOON)
    await store.commit({ task: aMove(id, 'cancelled', 'reopened', { set: { endedAt: null } }) })
    expect(await store.task(id)).toMatchObject({ status: 'pending', archivedAt: null, endedAt: null })
    expect([ids(await store.tasks()), await store.tasks({ archived: true })]).toEqual([[id], []])
    expect(await store.archivable(NOON + 9, 9)).toEqual([])
    await store.commit({ task: aMove(id, 'pending', 'cancelled', { set: { endedAt: NOON } }) })
    await markTidied(store, id)
    expect(await markArchived(store, id, NOON + 9)).toBe(true)
    await expectConsistent(store)
  })

  test('a node archives only its own tasks', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    const id = await end(a, 'of-a')
    expect(await b.archivable(NOON + 9, 9)).toEqual([])
    expect(await markArchived(b, id, NOON)).toBe(false)
    expect(ids(await a.archivable(NOON + 9, 9))).toEqual([id])
    await markArchived(a, id, NOON)
    expect(ids(await b.tasks({ archived: true }))).toEqual([id])
  })

  test('old events go from the front only, in batches, and the sequence goes on', async () => {
    const store = await open()
    for (const at of [1, 2, 9, 3, 4])
      await tell(store, { at, kind: 'server_started', taskId: null, data: {} })
    const seqs = async () => (await store.events(0, 99)).map(({ seq }) => seq)
    const prune = async (eventsBefore: number, most: number) =>
      (await store.prune({ ...never, eventsBefore }, most)).events
    expect(await prune(5, 1)).toBe(1)
    expect(await seqs()).toEqual([2, 3, 4, 5])
    expect(await prune(5, 99)).toBe(1)
    expect(await prune(5, 99)).toBe(0)
    expect(await seqs()).toEqual([3, 4, 5])
    expect(await prune(10, 99)).toBe(3)
    await tell(store, { at: 5, kind: 'server_started', taskId: null, data: {} })
    expect(await seqs()).toEqual([6])
    expect(await store.lastSeq()).toBe(6)
  })

  test('old audit entries go by their time, in batches, the oldest first', async () => {
    const store = await open()
    for (const at of [5, 1, 9, 4]) await audit(store, anAudit({ at }))
    const prune = async (auditBefore: number, most: number) =>
      (await store.prune({ ...never, auditBefore }, most)).audit
    expect(await prune(6, 2)).toBe(2)
    expect((await store.audits({})).map(({ at }) => at)).toEqual([9, 5])
    expect(await prune(6, 2)).toBe(1)
    expect(await prune(6, 2)).toBe(0)
    expect((await store.audits({})).map(({ at }) => at)).toEqual([9])
  })

  test('old runs of ended tasks go, but never the last one', async () => {
    const store = await open()
    const ended = await withRuns(store, 'ended')
    await store.commit({ task: aMove(ended, 'running', 'failed') })
    const unended = await withRuns(store, 'unended')
    const numbers = async (id = ended) => (await store.runsOf(id)).map(({ number }) => number)
    const prune = async (runsBefore: number, most: number) =>
      (await store.prune({ ...never, runsBefore }, most)).runs
    expect(await prune(NOON + 1, 99)).toBe(0)
    expect(await prune(NOON + 3, 1)).toBe(1)
    expect(await numbers()).toEqual([2, 3, 4])
    expect(await prune(NOON + 3, 99)).toBe(1)
    expect(await prune(NOON + 99, 99)).toBe(1)
    expect(await prune(NOON + 99, 99)).toBe(0)
    expect([await numbers(), await numbers(unended)]).toEqual([[4], [1, 2, 3, 4]])
  })

  test('a node forgets only its own runs', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    await a.commit({ task: aMove(await withRuns(a, 'of-a'), 'running', 'failed') })
    expect(await b.prune({ ...never, runsBefore: NOON + 99 }, 99)).toEqual({
      ...{ events: 0, audit: 0, runs: 0, messages: 0, threads: 0 },
      heldBy: [],
    })
    expect(await a.prune({ ...never, runsBefore: NOON + 99 }, 99)).toEqual({
      ...{ events: 0, audit: 0, runs: 3, messages: 0, threads: 0 },
      heldBy: [],
    })
  })
}

/** A running task with four runs, that ended one after another. */
async function withRuns(store: Store, name: string) {
  const { id } = await launch(store, name)
  for (const number of [2, 3, 4]) await store.commit({ newRun: aRunDraft(id, { number }) })
  for (const number of [1, 2, 3, 4]) {
    const set = { endedAt: NOON + number }
    await store.commit({ run: { id: aRunDraft(id, { number }).id, from: 'launching', event: 'lost', set } })
  }
  return id
}
