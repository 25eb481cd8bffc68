import { expect, test } from 'vitest'
import { asNodeId, asWorkspaceId } from '../../../src/domain/names/ids.ts'
import { anAudit } from '../../builders/audit.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { anInputDraft } from '../../builders/input.ts'
import { aMove } from '../../builders/move.ts'
import { aRestart, aStop } from '../../builders/orders.ts'
import { aQuestionDraft } from '../../builders/question.ts'
import { aReading } from '../../builders/reading.ts'
import { aWorkspace } from '../../builders/workspace.ts'
import type { NewPlace } from '../../contract/store-contract.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { everything, expectConsistent, rejectsWith } from '../expectations.ts'
import { create, launch } from '../samples.ts'
import {
  addInput,
  addWorkspace,
  answer,
  audit,
  markArchived,
  markTidied,
  noteDaemonDeath,
  orderRestart,
  orderStop,
  recordReading,
  removeWorkspace,
  say,
  tell,
} from '../writes.ts'

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

  test('tasks are counted over all nodes, and for each node alone', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    await launch(a, 'one')
    await launch(b, 'two')
    await create(b, 'three')
    expect(await a.counts()).toMatchObject({ running: 2, pending: 1 })
    expect(await a.counts(a.nodeId)).toMatchObject({ running: 1, pending: 0 })
    expect(await a.counts(b.nodeId)).toMatchObject({ running: 1, pending: 1 })
  })

  test('each node knows for how long it has heard nothing of the others; an older holder says nothing', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    const silence = async () => (await b.nodes()).find(({ id }) => id === a.nodeId)?.silentMs ?? -1
    expect((await b.nodes()).map(({ id }) => id)).toEqual([a.nodeId, b.nodeId])
    const before = await waitFor('a while to go by', async () => {
      const ms = await silence()
      return ms > 100 ? ms : undefined
    })
    await waitFor('its sign to be heard', async () => {
      await a.giveSign()
      return (await silence()) < before
    })
    await place.open('node-a')
    await rejectsWith(a.giveSign(), 'STALE_EPOCH')
  })

  test('after the store was opened anew, the older holder can read but not write', async () => {
    const place = await newPlace()
    const old = await place.open()
    const run = await launch(old, 'one')
    await old.commit({ input: anInputDraft(run.id), question: aQuestionDraft(run) })
    await place.open()
    const before = await everything(old)
    const stop = aStop()
    const writes: (() => Promise<unknown>)[] = [
      () => create(old, 'two'),
      () => old.commit({ task: aMove(run.id, 'running', 'completed') }),
      () => recordReading(old, aReading(run, { tokensIn: 1 })),
      () => orderStop(old, run.id, stop, anAudit()),
      () => orderRestart(old, run.id, aRestart({ kind: 'stuck' }), anAudit()),
      () => markTidied(old, run.id),
      () => markArchived(old, run.id, NOON),
      () =>
        old.prune(
          {
            eventsBefore: NOON + 9,
            eventsBeforeAll: NOON + 9,
            auditBefore: NOON + 9,
            runsBefore: NOON + 9,
            messagesBefore: 0,
          },
          99,
        ),
      () => noteDaemonDeath(old, [run.runId]),
      () => old.moveCursor('reader', 1, NOON),
      () => addInput(old, anInputDraft(run.id), anAudit()),
      () => say(old, { taskId: run.id, number: 1, runId: run.runId, at: NOON, written: null }),
      () =>
        answer(
          old,
          { taskId: run.id, number: 1 },
          { text: 'yes', option: 0, by: 'ann', at: NOON },
          anAudit(),
        ),
      () => tell(old, { at: NOON, kind: 'server_started', taskId: null, data: {} }),
      () => audit(old, anAudit()),
      () => addWorkspace(old, aWorkspace('1', 'app', '/a')),
      () => removeWorkspace(old, asWorkspaceId('1')),
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
    expect(await addInput(b, anInputDraft(ofA.id), anAudit())).toMatchObject({ number: 1 })
    await create(b, 'of-b')
    expect(await b.openRuns()).toEqual([])
    expect((await b.queue(9)).map(({ id }) => id)).toEqual([taskId('of-b')])
    expect(await a.queue(9)).toEqual([])
    expect((await a.tasks()).map(({ nodeId }) => nodeId).sort()).toEqual(['node-a', 'node-b'])
    const before = await everything(a)
    await rejectsWith(b.commit({ task: aMove(ofA.id, 'running', 'failed') }), 'TRANSITION_CONFLICT')
    await rejectsWith(
      b.commit({ run: { id: ofA.runId, from: 'launching', event: 'lost' } }),
      'TRANSITION_CONFLICT',
    )
    await rejectsWith(recordReading(b, aReading(ofA, { tokensIn: 1 })), 'TRANSITION_CONFLICT')
    await noteDaemonDeath(b, [ofA.runId])
    await rejectsWith(
      say(b, { taskId: ofA.id, number: 1, runId: ofA.runId, at: NOON, written: null }),
      'TRANSITION_CONFLICT',
    )
    expect(await everything(a)).toEqual(before)
    await a.commit({ task: aMove(ofA.id, 'running', 'failed') })
    expect(await b.untidied()).toEqual([])
    await expectConsistent(b)
  })
}
