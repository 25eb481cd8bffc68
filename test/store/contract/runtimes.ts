import { expect, test } from 'vitest'
import { asRuntimeId, asWorkspaceId } from '../../../src/domain/names/ids.ts'
import type { RuntimeMove } from '../../../src/ports/store/runtimes.ts'
import { anAudit } from '../../builders/audit.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import { aRuntimeDraft } from '../../builders/runtime.ts'
import { aTaskDraft } from '../../builders/task.ts'
import { aWorkspace } from '../../builders/workspace.ts'
import type { NewPlace, Open } from '../../contract/store-contract.ts'
import { rejectsWith } from '../expectations.ts'
import { create } from '../samples.ts'
import { addWorkspace, createTask, markTidied } from '../writes.ts'

const reviewer = aRuntimeDraft('reviewer', taskId('one'))
const standing = { runtime: reviewer.agentId, mode: 'interactive' } as const
const wide = { after: null, most: 50, mostEnded: 50 }

const aStep = (from: RuntimeMove['from'], event: RuntimeMove['event']): RuntimeMove => ({
  id: reviewer.id,
  from,
  event,
  reason: 'seen',
  evidence: [{ source: 'tmux', fact: 'pane %1' }],
  at: NOON + 5,
})

export function runtimes(newPlace: NewPlace) {
  const open: Open = async () => (await newPlace()).open()

  test('a runtime is registered together with its task, and told', async () => {
    const store = await open()
    const draft = aTaskDraft({ id: taskId('one'), ...standing })
    const { events } = await store.commit({ create: draft, registerRuntime: reviewer })
    expect(events.map(({ kind }) => kind)).toEqual(['task_created', 'runtime_registered'])
    expect(events[1]).toMatchObject({
      taskId: taskId('one'),
      data: { runtime_id: reviewer.id, agent_id: 'reviewer@core', target: 'agents_core:reviewer.0' },
    })
    const row = await store.runtime(reviewer.id)
    expect(row).toEqual({
      ...reviewer,
      nodeId: store.nodeId,
      tmuxPane: 0,
      state: 'starting',
      stateSince: NOON,
      reason: 'registered by ada',
      wanted: 'up',
      pid: null,
      operatorBusy: 0,
      lastHeartbeatAt: null,
      lastHeartbeatStatus: null,
      lastTriggerId: null,
      restarts: 0,
      drifts: 0,
    })
    expect(await store.runtimeNamed('reviewer@core')).toEqual(row)
    expect(await store.runtimeOfTask(taskId('one'))).toEqual(row)
    expect(await store.runtimes()).toEqual([row])
    expect((await store.task(taskId('one')))?.runtime).toBe('reviewer@core')
  })

  test('a role has one runtime in a workspace, and a place in tmux belongs to one runtime', async () => {
    const store = await open()
    await create(store, 'one')
    await create(store, 'two')
    await store.commit({ registerRuntime: reviewer })
    const again = { ...aRuntimeDraft('reviewer', taskId('two')), id: asRuntimeId('rt_another1') }
    await rejectsWith(store.commit({ registerRuntime: again }), 'RUNTIME_EXISTS')
    const alike = [aRuntimeDraft('a.b', taskId('two')), aRuntimeDraft('a_b', taskId('two'))] as const
    await store.commit({ registerRuntime: alike[0] })
    await rejectsWith(
      store.commit({ registerRuntime: { ...alike[1], taskId: taskId('x') } }),
      'RUNTIME_EXISTS',
    )
  })

  test('nothing is created when its runtime cannot be registered', async () => {
    const store = await open()
    await create(store, 'one')
    await store.commit({ registerRuntime: reviewer })
    const draft = aTaskDraft({ id: taskId('two'), ...standing })
    const register = { ...reviewer, id: asRuntimeId('rt_another1'), taskId: taskId('two') }
    await rejectsWith(store.commit({ create: draft, registerRuntime: register }), 'RUNTIME_EXISTS')
    expect(await store.task(taskId('two'))).toBeUndefined()
  })

  test('each move is stored with its event, reason and evidence, by the table and only from where it stands', async () => {
    const store = await open()
    await create(store, 'one')
    await store.commit({ registerRuntime: reviewer })
    const seen = { ...aStep('starting', 'agent_detected'), set: { pid: 77, restarts: 1 } }
    const { events } = await store.commit({ moveRuntime: seen })
    expect(events).toMatchObject([
      {
        kind: 'runtime_moved',
        data: { from: 'starting', to: 'ready', event: 'agent_detected', reason: 'seen' },
      },
    ])
    expect(await store.runtime(reviewer.id)).toMatchObject({
      state: 'ready',
      stateSince: NOON + 5,
      reason: 'seen',
      pid: 77,
      restarts: 1,
    })
    await rejectsWith(store.commit({ moveRuntime: seen }), 'TRANSITION_CONFLICT')
    await rejectsWith(store.commit({ moveRuntime: aStep('ready', 'ack_received') }), 'INVALID_TRANSITION')
    const story = await store.runtimeTransitions(reviewer.id, 9)
    expect(story).toMatchObject([
      { number: 1, from: 'unregistered', to: 'starting', event: 'register_runtime', evidence: [] },
      { number: 2, from: 'starting', to: 'ready', evidence: [{ source: 'tmux', fact: 'pane %1' }] },
    ])
    expect(await store.runtimeTransitions(reviewer.id, 1)).toEqual([story[1]])
  })

  test('what is noted changes nothing else; what is dropped is gone with its story, and told', async () => {
    const store = await open()
    await create(store, 'one')
    await store.commit({ registerRuntime: reviewer })
    const before = await store.runtime(reviewer.id)
    await store.commit({ noteRuntime: { id: reviewer.id, set: { wanted: 'stopped', operatorBusy: 1 } } })
    expect(await store.runtime(reviewer.id)).toEqual({ ...before, wanted: 'stopped', operatorBusy: 1 })
    const { events } = await store.commit({ dropRuntime: { id: reviewer.id, at: NOON } })
    expect(events).toMatchObject([{ kind: 'runtime_removed', data: { agent_id: 'reviewer@core' } }])
    expect(await store.runtime(reviewer.id)).toBeUndefined()
    expect(await store.runtimeTransitions(reviewer.id, 9)).toEqual([])
    await rejectsWith(store.commit({ dropRuntime: { id: reviewer.id, at: NOON } }), 'RUNTIME_NOT_FOUND')
    const note = { noteRuntime: { id: reviewer.id, set: { pid: 1 } } }
    await rejectsWith(store.commit(note), 'RUNTIME_NOT_FOUND')
  })

  test('each node has its own runtimes, and moves only those', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    await create(a, 'one')
    await a.commit({ registerRuntime: reviewer })
    expect(await b.runtimes()).toEqual([])
    expect((await b.allRuntimes()).map(({ agentId, nodeId }) => [agentId, nodeId])).toEqual([
      ['reviewer@core', 'node-a'],
    ])
    await rejectsWith(b.commit({ moveRuntime: aStep('starting', 'agent_detected') }), 'TRANSITION_CONFLICT')
    const [dropped, stopped] = [
      { dropRuntime: { id: reviewer.id, at: NOON } },
      { noteRuntime: { id: reviewer.id, set: { wanted: 'stopped' } } } as const,
    ]
    for (const change of [dropped, stopped])
      await expect(b.commit(change)).rejects.toThrow('is not one of this daemon')
    expect((await b.runtime(reviewer.id))?.nodeId).toBe('node-a')
  })

  test('lists leave runtimes out unless they are asked for, and their totals agree', async () => {
    const store = await open()
    await create(store, 'plain', { tags: ['x'] })
    await createTask(store, aTaskDraft({ id: taskId('one'), ...standing, tags: ['x'] }), anAudit())
    await createTask(store, aTaskDraft({ id: taskId('two'), runtime: 'tester@core', tags: ['x'] }), anAudit())
    await store.commit({ task: aMove(taskId('two'), 'pending', 'cancelled', { set: { endedAt: NOON } }) })
    for (const filter of [{}, { tag: 'x' }, { project: '/project' }]) {
      const all = { ...filter, runtimes: true }
      const ids = async (which: typeof filter) =>
        (await store.rowPage(which, wide)).items.map(({ id }) => id).sort()
      const total = async (which: typeof filter) =>
        (await store.listTotals(which)).reduce((sum, { count }) => sum + count, 0)
      expect(await ids(filter)).toEqual([taskId('plain')])
      expect(await ids(all)).toEqual([taskId('one'), taskId('plain'), taskId('two')].sort())
      expect([await total(filter), await total(all)]).toEqual([1, 3])
    }
  })

  test('a stopped runtime is not archived by age', async () => {
    const store = await open()
    await createTask(store, aTaskDraft({ id: taskId('one'), ...standing }), anAudit())
    await store.commit({ task: aMove(taskId('one'), 'pending', 'cancelled', { set: { endedAt: NOON } }) })
    await markTidied(store, taskId('one'))
    expect(await store.archivable(NOON + 1, 9)).toEqual([])
  })

  test('a workspace in which a runtime has its place stays', async () => {
    const store = await open()
    const { id } = await addWorkspace(store, aWorkspace('workspace', 'core', '/a/core'))
    await store.commit({ registerRuntime: { ...reviewer, workspaceId: asWorkspaceId('workspace') } })
    await rejectsWith(store.commit({ dropWorkspace: id }), 'WORKSPACE_IN_USE')
    await store.commit({ dropRuntime: { id: reviewer.id, at: NOON } })
    await store.commit({ dropWorkspace: id })
    expect(await store.workspaces()).toEqual([])
  })
}
