import { expect, test } from 'vitest'
import type { Open } from '../../contract/store-contract.ts'
import { auditOf, create, launch, moveOf, NOON, readingOf } from '../samples.ts'

export function audits(open: Open) {
  test('every end of a task is on the record, also when nobody wrote a row for it', async () => {
    const store = await open()
    const { id } = await launch(store, 'one')
    const at = NOON + 5
    await store.record({ task: moveOf(id, 'running', 'completed', { reason: 'all done', at }) })
    const kind = 'task_completed'
    expect(await store.audits({ kind })).toEqual([
      { at, kind, taskId: id, actor: 'holdfast', detail: 'all done' },
    ])
  })

  test('an end that was ordered names who ordered it, beside the row of its cause', async () => {
    const store = await open()
    const { id } = await launch(store, 'one')
    const order = { kind: 'kill', by: 'ada@pts/1', reason: 'wrong branch', at: NOON } as const
    await store.orderStop(id, order, auditOf({ kind: 'kill_ordered', taskId: id }))
    const audit = auditOf({ kind: 'quota_exceeded', taskId: id })
    await store.record({ task: moveOf(id, 'running', 'cancelled'), audit })
    expect((await store.audits({ taskId: id })).map(({ kind }) => kind)).toEqual([
      'task_cancelled',
      'quota_exceeded',
      'kill_ordered',
      'task_created',
    ])
    expect(await store.audits({ kind: 'task_cancelled' })).toMatchObject([{ actor: 'ada@pts/1' }])
  })

  test('moves that do not end a task need no row', async () => {
    const store = await open()
    const { id } = await create(store, 'one')
    await store.record({ task: moveOf(id, 'pending', 'launched') })
    expect((await store.audits({ taskId: id })).map(({ kind }) => kind)).toEqual(['task_created'])
  })

  test('each blocked tool is on the record with the run that tried, once, and never half a character', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const reading = readingOf(run, { blocked: ['Bash: rm -rf /', `${'x'.repeat(299)}😀`] })
    await store.recordReading(reading)
    await expect(store.recordReading(reading)).rejects.toMatchObject({ code: 'TRANSITION_CONFLICT' })
    const row = { kind: 'hook_violation', taskId: run.id, actor: `run ${run.runId}` }
    expect(await store.audits({ kind: 'hook_violation' })).toMatchObject([
      { ...row, detail: 'x'.repeat(299) },
      { ...row, detail: 'Bash: rm -rf /' },
    ])
  })
}
