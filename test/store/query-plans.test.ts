// A million tasks are only quick when no question walks them all or sorts them.
import { join } from 'node:path'
import type { CompiledQuery } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { asNodeId } from '../../src/domain/ids.ts'
import type { Store } from '../../src/ports/store.ts'
import { sqlite as backend, kyselyOver } from '../../src/store/backends.ts'
import { syncedAlready } from '../../src/store/group-sync.ts'
import { takeEpoch } from '../../src/store/holding.ts'
import { migrate } from '../../src/store/migrate.ts'
import { storeOver } from '../../src/store/open-store.ts'
import { sqliteDialect } from '../../src/store/sqlite-dialect.ts'
import { openSqlite } from '../../src/store/sqlite-library.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import {
  auditOf,
  inputOf,
  launch,
  moveOf,
  NOON,
  nodeFacts,
  questionOf,
  readingOf,
  taskId,
} from './samples.ts'

/** What SQLite would do for each query of a call. */
async function planOf(call: (store: Store) => Promise<unknown>) {
  const queries: CompiledQuery[] = []
  const sqlite = openSqlite(join(tempDir(), 'holdfast.db'))
  const db = kyselyOver(sqliteDialect(sqlite), ({ query }) => void queries.push(query))
  onTestFinished(() => db.destroy())
  await migrate({ db, backend, disk: syncedAlready }, NOON)
  const epoch = await takeEpoch({ db, backend, disk: syncedAlready }, nodeFacts(), NOON)
  queries.length = 0
  await call(
    storeOver({ db, backend, disk: syncedAlready, nodeId: asNodeId('node-a'), epoch, now: () => NOON }),
  )
  const sql = queries.map((query) => query.sql).join('\n')
  const steps = queries.flatMap(({ sql, parameters }) =>
    sqlite
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters)
      .map(({ detail }: { detail: string }) => detail),
  )
  return { sql, plan: steps.join('\n') }
}

const questions: Record<string, (store: Store) => Promise<unknown>> = {
  'the newest tasks': (store) => store.tasks({ limit: 50 }),
  'the newest tasks in a status': (store) => store.tasks({ statuses: ['completed'], limit: 50 }),
  "a project's tasks": (store) => store.tasks({ project: '/project', limit: 50 }),
  'ids by their beginning': (store) => store.taskIdsLike('2025', 2),
  'the queue': (store) => store.queue(10),
  "a task's events": (store) => store.events(5, 10, taskId('one')),
  'events after a number': (store) => store.events(5, 10),
  "a task's runs": (store) => store.runsOf(taskId('one')),
  "a task's transitions": (store) => store.transitions(taskId('one')),
  "a task's inputs": (store) => store.inputs(taskId('one')),
  "a task's open questions": (store) => store.openQuestions(taskId('one')),
  "a task's audit": (store) => store.audits({ taskId: taskId('one'), limit: 10 }),
  'the newest audit': (store) => store.audits({ limit: 10 }),
  'the newest of the archive': (store) => store.tasks({ archived: true, limit: 50 }),
  'what may be archived': (store) => store.archivable(NOON, 50),
  'all open questions': (store) => store.allOpenQuestions(),
  'a cursor': (store) => store.cursor('reader'),
  'what is to be forgotten': (store) =>
    store.prune({ eventsBefore: NOON, auditBefore: NOON, runsBefore: NOON }, 50),
}
/** Walking an index in order and stopping at the limit is fine, and so is an index of nothing else. */
const inOrder = [
  'the newest tasks',
  'the newest audit',
  'the newest of the archive',
  'all open questions',
  'what is to be forgotten',
]

test.each(Object.entries(questions))('%s: found by an index, without sorting', async (name, call) => {
  const { plan } = await planOf(call)
  expect(plan).toMatch(/SEARCH|SCAN/)
  expect(plan).not.toContain('TEMP B-TREE')
  if (!inOrder.includes(name)) expect(plan).not.toContain('SCAN')
})

const few: Record<string, (store: Store) => Promise<unknown>> = {
  'open runs': (store) => store.openRuns(),
  'runs that ended lately': (store) => store.endedRuns(NOON, 'account'),
  'waiting tasks': (store) => store.waiting(),
  'closed gates': (store) => store.gates(),
  'tasks to tidy': (store) => store.untidied(),
  'tagged tasks': (store) => store.tasks({ tag: 'x' }),
  'unfinished tasks': (store) => store.tasks({ statuses: ['pending', 'running', 'waiting_input'] }),
}

test.each(Object.entries(few))('%s: found by an index; only those few are sorted', async (_, call) => {
  expect((await planOf(call)).plan).not.toContain('SCAN')
})

test('a conversation is written without walking a table', async () => {
  const { sql, plan } = await planOf(async (store) => {
    const run = await launch(store, 'one')
    const asked = { taskId: run.id, number: 1 }
    await store.record({ input: inputOf(run.id), question: questionOf(run) })
    await store.say({ ...asked, runId: run.runId, at: NOON, written: { line: 'hello\n', offset: 0 } })
    await store.recordReading(readingOf(run, { heard: [1], done: [1], blocked: ['Bash: no'] }))
    await store.answer(asked, { text: 'yes', option: 0, by: 'ann', at: NOON }, auditOf())
    await store.record({ settled: { taskId: run.id, at: NOON, numbers: [1] } })
    await store.record({ task: moveOf(run.id, 'running', 'completed') })
  })
  for (const column of ['done_at', 'settled_at', 'answered_at', 'hook_violations', 'max("number")'])
    expect(sql).toContain(column)
  expect(plan).toContain('SEARCH')
  expect(plan).not.toContain('SCAN')
})

test('what ends, is archived and is opened again is written without walking a table', async () => {
  const { sql, plan } = await planOf(async (store) => {
    const run = await launch(store, 'one')
    await store.noteDaemonDeath([run.runId])
    await store.record({ unsay: { taskId: run.id, runId: run.runId, from: 1 }, openGate: 'key' })
    await store.record({ reword: { taskId: run.id, number: 1, text: 'other' } })
    await store.record({ task: moveOf(run.id, 'running', 'completed') })
    await store.markTidied(run.id)
    await store.markArchived(run.id, NOON)
    await store.record({ task: moveOf(run.id, 'completed', 'reopened') })
    await store.moveCursor('reader', 1, NOON)
  })
  for (const column of ['daemon_deaths', 'delete from "gates"', 'archived_at', '"cursors"'])
    expect(sql).toContain(column)
  expect(plan).toContain('SEARCH')
  expect(plan).not.toContain('SCAN')
})

test('a list of archived or other tasks finds them by the index alone, not by what lies behind the snapshot', async () => {
  for (const archived of [false, true]) {
    const { plan } = await planOf((store) => store.rows({ archived }))
    expect(plan).toContain(`SCAN tasks USING INDEX ${archived ? 'tasks_archived' : 'tasks_by_age'}`)
  }
})

test('a list does not read the snapshots', async () => {
  const { sql } = await planOf((store) => store.tasks({ limit: 5 }).then(() => store.queue(5)))
  expect(sql).toContain('"created_at"')
  expect(sql).not.toContain('snapshot')
})
