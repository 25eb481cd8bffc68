import { expect, test } from 'vitest'
import type { Store } from '../../../src/ports/store/store.ts'
import { anAudit } from '../../builders/audit.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import { aWorkspace } from '../../builders/workspace.ts'
import type { Open } from '../../contract/store-contract.ts'
import { expectConsistent, rejectsWith } from '../expectations.ts'
import { create } from '../samples.ts'
import { addWorkspace, audit, removeWorkspace, tell } from '../writes.ts'

const DAY = 86_400_000

export function lists(open: Open) {
  test('events are read on from any number, for all or for one task', async () => {
    const store = await open()
    await create(store, 'one')
    await create(store, 'two')
    await tell(store, { at: NOON + 9, kind: 'server_died', taskId: null, data: { deaths: 1 } })
    const seqs = async (...args: Parameters<Store['events']>) =>
      (await store.events(...args)).map(({ seq }) => seq)
    expect(await seqs(0, 10)).toEqual([1, 2, 3])
    expect(await seqs(1, 1)).toEqual([2])
    expect(await seqs(3, 10)).toEqual([])
    expect(await seqs(0, 10, taskId('two'))).toEqual([2])
    expect((await store.events(2, 1))[0]).toEqual({
      seq: 3,
      nodeId: store.nodeId,
      cause: null,
      depth: 0,
      at: NOON + 9,
      kind: 'server_died',
      taskId: null,
      data: { deaths: 1 },
    })
    expect(await store.lastSeq()).toBe(3)
  })

  test('many at once leave no gap in the sequence, and refused ones leave none either', async () => {
    const store = await open()
    await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0
          ? create(store, `task-${index % 8}`)
          : tell(store, { at: NOON, kind: 'orphan_found', taskId: null, data: { what: String(index) } }),
      ),
    )
    expect(await store.lastSeq()).toBe(24)
    await expectConsistent(store)
  })

  test('a reader that follows the sequence misses nothing that others write meanwhile', async () => {
    const store = await open()
    const seen: number[] = []
    const writers = Promise.all(
      Array.from({ length: 30 }, () =>
        tell(store, { at: NOON, kind: 'server_started', taskId: null, data: {} }),
      ),
    )
    while (seen.length < 30) seen.push(...(await store.events(seen.at(-1) ?? 0, 7)).map(({ seq }) => seq))
    await writers
    expect(seen).toEqual(seen.map((_, index) => index + 1))
  })

  test('the audit is read newest first, by time, task and kind', async () => {
    const store = await open()
    const entries = [
      anAudit({ at: NOON + 5, kind: 'kill_ordered', taskId: taskId('a'), detail: '1' }),
      anAudit({ at: NOON + 4, kind: 'kill_ordered', taskId: taskId('b'), detail: '2' }),
      anAudit({ at: NOON + 6, kind: 'workspace_added', taskId: null, detail: '3' }),
    ]
    for (const entry of entries) await audit(store, entry)
    const details = async (filter: Parameters<Store['audits']>[0]) =>
      (await store.audits(filter)).map(({ detail }) => detail)
    expect(await store.audits({})).toEqual(entries.toReversed())
    expect(await details({ since: NOON + 5 })).toEqual(['3', '1'])
    expect(await details({ taskId: taskId('b') })).toEqual(['2'])
    expect(await details({ kind: 'kill_ordered' })).toEqual(['2', '1'])
    expect(await details({ kind: 'kill_ordered', limit: 1 })).toEqual(['2'])
  })

  test('the audit comes in pages, newest first, also with a filter', async () => {
    const store = await open()
    for (const [n, at] of [5, 6, 7, 8, 9].entries())
      await audit(
        store,
        anAudit({ at: at * DAY, kind: n % 2 === 0 ? 'task_failed' : 'task_started', detail: `${at}` }),
      )
    const read = async (filter: Parameters<Store['auditPage']>[0], most: number) => {
      const details: string[] = []
      for (let after: number | null = null; ; ) {
        const { items, next } = await store.auditPage(filter, { after, most })
        details.push(...items.map(({ detail }) => detail))
        if (next === null) return details
        after = next
      }
    }
    for (const most of [1, 2, 5, 9]) {
      expect(await read({}, most)).toEqual(['9', '8', '7', '6', '5'])
      expect(await read({ kind: 'task_failed' }, most)).toEqual(['9', '7', '5'])
      expect(await read({ since: 7 * DAY }, most)).toEqual(['9', '8', '7'])
    }
  })

  test('a workspace is added once per path and gets a slug of its own', async () => {
    const store = await open()
    const app = aWorkspace('1', 'app', '/a/app')
    expect(await addWorkspace(store, app)).toEqual(app)
    expect(await addWorkspace(store, aWorkspace('2', 'app', '/a/app'))).toEqual(app)
    const other = await addWorkspace(store, aWorkspace('3', 'app', '/b/app'))
    expect(other).toMatchObject({ slug: 'app-2', path: '/b/app' })
    expect(await store.workspaces()).toEqual([app, other])
  })

  test('a workspace is removed once, and not while a task there is unfinished', async () => {
    const store = await open()
    const { id } = await addWorkspace(store, aWorkspace('1', 'app', '/a/app'))
    await create(store, 'one', { workspaceId: id })
    await rejectsWith(removeWorkspace(store, id), 'WORKSPACE_IN_USE')
    await store.commit({ task: aMove(taskId('one'), 'pending', 'cancelled') })
    expect(await removeWorkspace(store, id)).toBe(true)
    expect(await removeWorkspace(store, id)).toBe(false)
    expect(await store.workspaces()).toEqual([])
  })

  test('a cursor is unknown until it is moved, and never moves backwards', async () => {
    const store = await open()
    expect(await store.cursor('monitor é\'"')).toBeUndefined()
    await store.moveCursor('monitor é\'"', 0, NOON)
    expect(await store.cursor('monitor é\'"')).toBe(0)
    for (const seq of [5, 3, 5]) await store.moveCursor('monitor é\'"', seq, NOON)
    await store.moveCursor('other', 2, NOON)
    expect([await store.cursor('monitor é\'"'), await store.cursor('other')]).toEqual([5, 2])
    await Promise.all([9, 7, 12, 8].map((seq) => store.moveCursor('other', seq, NOON)))
    expect(await store.cursor('other')).toBe(12)
  })
}
