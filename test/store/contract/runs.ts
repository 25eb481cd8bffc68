import { expect, test } from 'vitest'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { NOON } from '../../builders/ids.ts'
import { aRun, aRunDraft } from '../../builders/run.ts'
import type { Open } from '../../contract/store-contract.ts'
import { create, launch } from '../samples.ts'
import { forgiveDaemonDeaths, noteDaemonDeath } from '../writes.ts'

export function runs(open: Open) {
  test('a run is stored from launch to exit', async () => {
    const store = await open()
    const { id, runId } = await launch(store, 'one')
    const launching = aRun({ ...aRunDraft(id), state: 'launching', startedAt: null })
    expect(await store.run(runId)).toEqual(launching)
    expect(await store.openRuns()).toEqual([launching])
    const start = { startedAt: NOON + 2, liveSinceMono: 99.5, pid: 12, startTicks: 34, bootId: 'boot' }
    await store.commit({ run: { id: runId, from: 'launching', event: 'started', set: start } })
    expect(await store.openRuns()).toEqual([{ ...launching, ...start, state: 'live' }])
    const end = { endedAt: NOON + 3, exitCode: 0, failure: 'transient' } as const
    await store.commit({ run: { id: runId, from: 'live', event: 'exited', set: end } })
    expect(await store.run(runId)).toEqual({ ...launching, ...start, ...end, state: 'exited' })
    expect(await store.openRuns()).toEqual([])
  })

  test("a task's runs come in order", async () => {
    const store = await open()
    const { id, runId } = await launch(store, 'one')
    await store.commit({ run: { id: runId, from: 'launching', event: 'voided' } })
    for (const number of [3, 2]) await store.commit({ newRun: aRunDraft(id, { number }) })
    expect((await store.runsOf(id)).map(({ number, state }) => [number, state])).toEqual([
      [1, 'void'],
      [2, 'launching'],
      [3, 'launching'],
    ])
    expect((await store.openRuns()).map(({ number }) => number)).toEqual([2, 3])
    expect((await store.lastRuns(id, 2)).map(({ number }) => number)).toEqual([2, 3])
    expect((await store.lastRuns(id, 9)).map(({ number }) => number)).toEqual([1, 2, 3])
  })

  test('of two who start the same run number, one wins', async () => {
    const store = await open()
    const { id } = await create(store, 'one')
    const [a, b] = ['a', 'b'].map((name) => ({ ...aRunDraft(id), id: asRunId(name) }))
    const outcomes = await Promise.allSettled([store.commit({ newRun: a }), store.commit({ newRun: b })])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await store.runsOf(id)).toHaveLength(1)
  })

  test('runs of an account, or of all, that ended since a time come newest first', async () => {
    const store = await open()
    const ends: [name: string, account: string, endedAt: number | null][] = [
      ['early', 'mine', NOON + 1],
      ['late', 'mine', NOON + 3],
      ['between', 'mine', NOON + 2],
      ['live', 'mine', null],
      ['theirs', 'other', NOON + 3],
    ]
    for (const [name, account, endedAt] of ends) {
      const { runId } = await launch(store, name, { account })
      if (endedAt !== null)
        await store.commit({ run: { id: runId, from: 'launching', event: 'exited', set: { endedAt } } })
    }
    const names = async (since: number, account: string | null = 'mine') =>
      (await store.endedRuns(since, account)).map(({ taskId }) => taskId.split('-').at(-1))
    expect(await names(NOON + 2)).toEqual(['late', 'between'])
    expect(await names(0)).toEqual(['late', 'between', 'early'])
    expect(await names(NOON + 4)).toEqual([])
    expect((await names(NOON + 2, null)).sort()).toEqual(['between', 'late', 'theirs'])
  })

  test('a heartbeat is kept with its time, and the run of another task has none', async () => {
    const store = await open()
    const [one, two] = [await launch(store, 'one'), await launch(store, 'two')]
    for (const [status, at] of [
      ['idle', NOON + 1],
      ['active', NOON + 2],
    ] as const)
      await store.commit({ heartbeat: { runId: one.runId, status, at } })
    expect(await store.run(one.runId)).toMatchObject({ heartbeatStatus: 'active', heartbeatAt: NOON + 2 })
    expect(await store.run(two.runId)).toMatchObject({ heartbeatStatus: null, heartbeatAt: null })
    await store.commit({ heartbeat: { runId: asRunId('none'), status: 'idle', at: NOON } })
  })

  test('deaths of daemons are counted for the runs they handled', async () => {
    const store = await open()
    const [one, two] = [await launch(store, 'one'), await launch(store, 'two')]
    const both = await noteDaemonDeath(store, [one.runId, two.runId, asRunId('none')])
    expect(both.tasks).toEqual(new Set([one.id, two.id]))
    await noteDaemonDeath(store, [one.runId])
    await noteDaemonDeath(store, [])
    expect(await store.run(one.runId)).toMatchObject({ daemonDeaths: 2 })
    expect(await store.run(two.runId)).toMatchObject({ daemonDeaths: 1 })
    await forgiveDaemonDeaths(store, one.runId)
    expect(await store.run(one.runId)).toMatchObject({ daemonDeaths: 0 })
    expect(await store.run(two.runId)).toMatchObject({ daemonDeaths: 1 })
  })
}
