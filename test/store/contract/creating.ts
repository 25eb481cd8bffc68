import { expect, test } from 'vitest'
import { asTaskId } from '../../../src/domain/names/ids.ts'
import { anAudit } from '../../builders/audit.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aNewTask, aTaskDraft } from '../../builders/task.ts'
import type { Open } from '../../contract/store-contract.ts'
import { everything, expectConsistent, rejectsWith } from '../expectations.ts'
import { create } from '../samples.ts'
import { audit, createTask } from '../writes.ts'

export function creating(open: Open) {
  test('a request is carried out once for each key of its caller and route, and nothing of it is stored again', async () => {
    const store = await open()
    const name = { createdBy: 'ada', route: 'POST /api/tasks', key: 'k' }
    const requestKey = { ...name, digest: 'd', taskId: taskId('first'), made: 'x', at: NOON }
    await store.commit({ create: aTaskDraft({ id: taskId('first') }), requestKey })
    const again = {
      create: aTaskDraft({ id: taskId('again') }),
      requestKey: { ...requestKey, taskId: taskId('again') },
    }
    await rejectsWith(store.commit(again), 'TRANSITION_CONFLICT')
    expect(await store.task(taskId('again'))).toBeUndefined()
    await store.commit({ ...again, requestKey: { ...again.requestKey, createdBy: 'bob' } })
    await store.commit({ requestKey: { ...requestKey, route: 'POST /api/runtimes' } })
    expect(await store.requestWithKey(name)).toEqual(requestKey)
    expect(await store.requestWithKey({ ...name, createdBy: 'eve' })).toBeUndefined()
  })

  test('a created task reads back whole, with its transition, event, counter and audit row', async () => {
    const store = await open()
    const draft = aTaskDraft({
      id: taskId('whole'),
      role: 'grafana-validator',
      priority: 'high',
      tags: ['b', 'a', 'a'],
      meta: { zz: '1', a: 'é"\'\\;\n\u0007' },
      parentId: taskId('parent'),
      maxDurationMs: 1_800_000,
      snapshot: { prompt: '🙂 $(rm -rf /) %s \u0000 \ud800 \'"; drop table tasks' },
    })
    const audit = anAudit({ taskId: draft.id, detail: 'made' })
    const task = await createTask(store, draft, audit)
    expect(task).toEqual(aNewTask({ ...draft, nodeId: store.nodeId }))
    expect(await store.task(draft.id)).toEqual(task)
    expect(await store.transitions(draft.id)).toEqual([
      {
        taskId: draft.id,
        number: 1,
        event: 'created',
        from: 'new',
        to: 'pending',
        phase: 'queued',
        reason: 'created by person',
        evidence: [],
        runId: null,
        at: NOON,
      },
    ])
    expect(await store.events(0, 10)).toEqual([
      {
        seq: 1,
        nodeId: store.nodeId,
        cause: null,
        depth: 0,
        at: NOON,
        kind: 'task_created',
        taskId: draft.id,
        data: { status: 'pending', phase: 'queued', reason: 'created by person', run_id: null },
      },
    ])
    expect(await store.counts()).toMatchObject({ pending: 1, running: 0 })
    expect(await store.audits({})).toEqual([audit])
  })

  test('an id that is taken is refused and changes nothing', async () => {
    const store = await open()
    await create(store, 'same', { tags: ['first'] })
    const before = await everything(store)
    await rejectsWith(create(store, 'same', { tags: ['second'] }), 'TASK_EXISTS')
    expect(await everything(store)).toEqual(before)
    expect(await store.tasks({ tag: 'second' })).toEqual([])
  })

  test('of two tasks created at once under one id, one exists', async () => {
    const store = await open()
    const outcomes = await Promise.allSettled([create(store, 'twin'), create(store, 'twin')])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await store.counts()).toMatchObject({ pending: 1 })
    await expectConsistent(store)
  })

  test('a NUL in text neither cuts it nor is refused', async () => {
    const store = await open()
    await create(store, 'nul')
    await audit(store, anAudit({ kind: 'task_created', detail: 'before\0after' }))
    expect(await store.audits({ kind: 'task_created', limit: 1 })).toMatchObject([
      { detail: 'before\ufffdafter' },
    ])
    expect(await store.task(asTaskId(`${taskId('nul')}\0`))).toBeUndefined()
  })
}
