import { expect, test } from 'vitest'
import { asNodeId, asWorkspaceId } from '../../../src/domain/ids.ts'
import type { NewPlace } from '../../contract/store-contract.ts'
import { everything, expectConsistent, rejectsWith } from '../expectations.ts'
import {
  auditOf,
  create,
  inputOf,
  launch,
  moveOf,
  NOON,
  questionOf,
  readingOf,
  taskId,
  workspaceOf,
} from '../samples.ts'

export function holders(newPlace: NewPlace) {
  test('everything is there again after closing and opening', async () => {
    const place = await newPlace()
    const store = await place.open()
    await launch(store, 'one')
    const before = await everything(store)
    await store.close()
    const again = await place.open()
    expect(await everything(again)).toEqual(before)
    expect([store.epoch, again.epoch]).toEqual([1, 2])
  })

  test('after the store was opened anew, the older holder can read but not write', async () => {
    const place = await newPlace()
    const old = await place.open()
    const run = await launch(old, 'one')
    await old.record({ input: inputOf(run.id), question: questionOf(run) })
    await place.open()
    const before = await everything(old)
    const stop = { kind: 'kill', by: 'ann', reason: '', at: NOON } as const
    const writes: (() => Promise<unknown>)[] = [
      () => create(old, 'two'),
      () => old.record({ task: moveOf(run.id, 'running', 'completed') }),
      () => old.recordReading(readingOf(run, { tokensIn: 1 })),
      () => old.orderStop(run.id, stop, auditOf()),
      () => old.orderRestart(run.id, { ...stop, kind: 'stuck', goOn: null, mode: null }, auditOf()),
      () => old.markTidied(run.id),
      () => old.markArchived(run.id, NOON),
      () => old.prune({ eventsBefore: NOON + 9, auditBefore: NOON + 9, runsBefore: NOON + 9 }, 99),
      () => old.noteDaemonDeath([run.runId]),
      () => old.moveCursor('reader', 1, NOON),
      () => old.addInput(inputOf(run.id), auditOf()),
      () => old.say({ taskId: run.id, number: 1, runId: run.runId, at: NOON, written: null }),
      () =>
        old.answer({ taskId: run.id, number: 1 }, { text: 'yes', option: 0, by: 'ann', at: NOON }, auditOf()),
      () => old.tell({ at: NOON, kind: 'noise', taskId: null, data: {} }),
      () => old.audit(auditOf()),
      () => old.addWorkspace(workspaceOf('1', 'app', '/a')),
      () => old.removeWorkspace(asWorkspaceId('1')),
    ]
    for (const write of writes) await rejectsWith(write(), 'STALE_EPOCH')
    expect(await everything(old)).toEqual(before)
  })

  test('nodes share one store, and each moves only its own tasks', async () => {
    const place = await newPlace()
    const a = await place.open('node-a')
    const b = await place.open('node-b')
    expect([a.nodeId, b.nodeId]).toEqual([asNodeId('node-a'), asNodeId('node-b')])
    const ofA = await launch(a, 'of-a')
    expect(await b.addInput(inputOf(ofA.id), auditOf())).toMatchObject({ number: 1 })
    await create(b, 'of-b')
    expect(await b.openRuns()).toEqual([])
    expect((await b.queue(9)).map(({ id }) => id)).toEqual([taskId('of-b')])
    expect(await a.queue(9)).toEqual([])
    expect((await a.tasks()).map(({ nodeId }) => nodeId).sort()).toEqual(['node-a', 'node-b'])
    const before = await everything(a)
    await rejectsWith(b.record({ task: moveOf(ofA.id, 'running', 'failed') }), 'TRANSITION_CONFLICT')
    await rejectsWith(
      b.record({ run: { id: ofA.runId, from: 'launching', event: 'lost' } }),
      'TRANSITION_CONFLICT',
    )
    await rejectsWith(b.recordReading(readingOf(ofA, { tokensIn: 1 })), 'TRANSITION_CONFLICT')
    await b.noteDaemonDeath([ofA.runId])
    await rejectsWith(
      b.say({ taskId: ofA.id, number: 1, runId: ofA.runId, at: NOON, written: null }),
      'TRANSITION_CONFLICT',
    )
    expect(await everything(a)).toEqual(before)
    await a.record({ task: moveOf(ofA.id, 'running', 'failed') })
    expect(await b.untidied()).toEqual([])
    await expectConsistent(b)
  })
}
