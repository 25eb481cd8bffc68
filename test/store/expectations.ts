// What tests of a store ask for, again and again.
import { expect } from 'vitest'
import type { ErrorCode } from '../../src/domain/errors.ts'
import { isEnded } from '../../src/domain/task/machine.ts'
import type { Store } from '../../src/ports/store/store.ts'

export const rejectsWith = (call: Promise<unknown>, code: ErrorCode) =>
  expect(call).rejects.toMatchObject({ name: 'HoldfastError', code })

/** Everything a refused write could have touched. */
export async function everything(store: Store) {
  const tasks = await allTasks(store)
  const ofTasks = await Promise.all(
    tasks.map(({ id }) =>
      Promise.all([
        store.task(id),
        store.transitions(id),
        store.runsOf(id),
        store.inputs(id),
        store.openQuestions(id),
      ]),
    ),
  )
  const [counts, events, audits, lastSeq, workspaces, gates] = await Promise.all([
    store.counts(),
    store.events(0, 10_000),
    store.audits({}),
    store.lastSeq(),
    store.workspaces(),
    store.gates(),
  ])
  return { ofTasks, counts, events, audits, lastSeq, workspaces, gates }
}

const allTasks = async (store: Store) => [
  ...(await store.tasks()),
  ...(await store.tasks({ archived: true })),
]

/** The promises that hold whatever happened. */
export async function expectConsistent(store: Store): Promise<void> {
  const tasks = await allTasks(store)
  const recount = Object.fromEntries(Object.keys(await store.counts()).map((status) => [status, 0]))
  for (const { id, status, phase, reason, archivedAt } of tasks) {
    recount[status] = (recount[status] ?? 0) + 1
    const transitions = await store.transitions(id)
    expect(transitions.map(({ number }) => number)).toEqual(transitions.map((_, index) => index + 1))
    expect(transitions.at(-1)).toMatchObject({ to: status, phase })
    if (transitions.length > 1) expect(transitions.at(-1)?.reason).toBe(reason)
    if (isEnded(status)) expect(await store.openQuestions(id)).toEqual([])
    else expect(archivedAt).toBeNull()
  }
  expect(await store.counts()).toEqual(recount)
  const seqs = (await store.events(0, 1_000_000)).map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  expect(await store.lastSeq()).toBe(seqs.length)
}
