// A million tasks are only quick when no question walks them all or sorts them.
import { join } from 'node:path'
import type { CompiledQuery } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { asNodeId, asTriggerId } from '../../src/domain/names/ids.ts'
import type { Store } from '../../src/ports/store/store.ts'
import type { ListFilter } from '../../src/ports/store/task-lists.ts'
import { sqlite as backend, kyselyOver } from '../../src/store/database/backends.ts'
import { syncedAlready } from '../../src/store/database/group-sync.ts'
import { takeEpoch } from '../../src/store/database/holding.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { sqliteDialect } from '../../src/store/database/sqlite-dialect.ts'
import { openSqlite } from '../../src/store/database/sqlite-library.ts'
import { storeOver } from '../../src/store/open-store.ts'
import { anAudit } from '../builders/audit.ts'
import { NOON, taskId } from '../builders/ids.ts'
import { anInputDraft } from '../builders/input.ts'
import { aMove } from '../builders/move.ts'
import { aQuestionDraft } from '../builders/question.ts'
import { aReading } from '../builders/reading.ts'
import { aMessageDraft, aThreadDraft, THREAD_ID } from '../builders/thread.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { launch, nodeFacts } from './samples.ts'
import { answer, markArchived, markTidied, noteDaemonDeath, recordReading, say } from './writes.ts'

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
  // What was found is read in its order, and rows to be inserted are no table: neither is a walk of one.
  const steps = queries.flatMap(({ sql, parameters }) =>
    sqlite
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters)
      .map(({ detail }: { detail: string }) => detail)
      .filter((detail: string) => !/^SCAN (listed|\d+-ROW VALUES CLAUSE)$/.test(detail)),
  )
  return { sql, plan: steps.join('\n') }
}

const questions: Record<string, (store: Store) => Promise<unknown>> = {
  'the newest tasks': (store) => store.tasks({ limit: 50 }),
  'the newest tasks in a status': (store) => store.tasks({ statuses: ['completed'], limit: 50 }),
  'ids by their beginning': (store) => store.taskIdsLike('2025', 2),
  'the newest task of all': (store) => store.newestTask(),
  'the queue': (store) => store.queue(10),
  'a child in the queue': (store) => store.hasQueuedChild([taskId('one'), taskId('two')]),
  "a task's events": (store) => store.events(5, 10, taskId('one')),
  'events after a number': (store) => store.events(5, 10),
  "a task's runs": (store) => store.runsOf(taskId('one')),
  "a task's last runs": (store) => store.lastRuns(taskId('one'), 3),
  "a task's transitions": (store) => store.transitions(taskId('one')),
  "a task's inputs": (store) => store.inputs(taskId('one')),
  'a trigger': (store) => store.trigger(asTriggerId('trg_20251118_0001')),
  'the trigger of a key': (store) => store.triggerWithKey(taskId('one'), 'k'),
  "a trigger's steps": (store) => store.triggerSteps(asTriggerId('trg_20251118_0001')),
  'the newest triggers': (store) => store.triggers({ limit: 50 }),
  'the newest triggers of a thread': (store) => store.triggers({ thread: 'th_1', limit: 50 }),
  'triggers after a place': (store) =>
    store.triggers({ limit: 50, after: { at: NOON, id: asTriggerId('trg_20251118_0001') } }),
  'triggers that wait': (store) => store.triggersIn(['deferred', 'submitted']),
  "a task's open questions": (store) => store.openQuestions(taskId('one')),
  "a task's audit": (store) => store.audits({ taskId: taskId('one'), limit: 10 }),
  'the newest audit': (store) => store.audits({ limit: 10 }),
  'the newest of the archive': (store) => store.tasks({ archived: true, limit: 50 }),
  'what may be archived': (store) => store.archivable(NOON, 50),
  'all open questions': (store) => store.allOpenQuestions(),
  'a cursor': (store) => store.cursor('reader'),
  'the newest threads': (store) => store.threads({}, { after: null, most: 50 }),
  'threads after a place': (store) => store.threads({}, { after: THREAD_ID, most: 50 }),
  'blocked threads': (store) => store.threads({ blocked: true }, { after: null, most: 50 }),
  'a request by its key': (store) =>
    store.requestWithKey({ createdBy: 'ada', route: 'POST /api/tasks', key: 'k' }),
  "a thread's members": (store) => store.threadMembers(THREAD_ID),
  "a thread's messages": (store) => store.messages(THREAD_ID, { after: 5, most: 50, exceptOf: 'person:ada' }),
  "a thread's readers": (store) => store.readCursors(THREAD_ID),
  'what a reader has not read': (store) => store.unreadThreads('person:ada'),
  'what a parent is to be told': (store) => store.unboundFor(taskId('one')),
  'a notice': (store) => store.notice('n1'),
  'what a channel is to be told': (store) => store.unboundNotices('phone', 100),
  'the newest notices': (store) => store.noticeLog({ most: 50 }),
  'notices before a place': (store) => store.noticeLog({ most: 50, before: { at: NOON, id: 'n1' } }),
  'the newest notices of a channel': (store) => store.noticeLog({ channel: 'phone', most: 50 }),
  'notices of a channel before a place': (store) =>
    store.noticeLog({ channel: 'phone', most: 50, before: { at: NOON, id: 'n1' } }),
  'what is to be forgotten': (store) =>
    store.prune(
      {
        eventsBefore: NOON,
        eventsBeforeAll: NOON,
        auditBefore: NOON,
        runsBefore: NOON,
        messagesBefore: NOON,
      },
      50,
    ),
  'the living children of a task': (store) => store.livingChildren(taskId('one')),
  'what a task is not told yet': (store) => store.unsubmitted(taskId('one'), 'children'),
}
/** Walking an index in order and stopping at the limit is fine, and so is an index of nothing else. */
const inOrder = [
  'the newest threads',
  'the newest task of all',
  'the newest tasks',
  'the newest audit',
  'the newest of the archive',
  'all open questions',
  'what is to be forgotten',
  'the newest triggers',
  'the newest notices',
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
  'runs of everybody that ended lately': (store) => store.endedRuns(NOON, null),
  'waiting tasks': (store) => store.waiting(),
  'closed gates': (store) => store.gates(),
  'tasks to tidy': (store) => store.untidied(),
  'tagged tasks': (store) => store.tasks({ tag: 'x' }),
  'tasks of one name': (store) => store.tasksNamed('nightly', 6),
  'unfinished tasks': (store) => store.tasks({ statuses: ['pending', 'running', 'waiting_input'] }),
}

test.each(Object.entries(few))('%s: found by an index; only those few are sorted', async (_, call) => {
  expect((await planOf(call)).plan).not.toContain('SCAN')
})

test('a conversation is written without walking a table', async () => {
  const { sql, plan } = await planOf(async (store) => {
    const run = await launch(store, 'one')
    const asked = { taskId: run.id, number: 1 }
    await store.commit({ input: anInputDraft(run.id), question: aQuestionDraft(run) })
    await say(store, { ...asked, runId: run.runId, at: NOON, written: { line: 'hello\n', offset: 0 } })
    await recordReading(store, aReading(run, { heard: [1], done: [1], blocked: ['Bash: no'] }))
    await answer(store, asked, { text: 'yes', option: 0, by: 'ann', at: NOON }, anAudit())
    await store.commit({ settled: { taskId: run.id, at: NOON, numbers: [1] } })
    await store.commit({ task: aMove(run.id, 'running', 'completed') })
  })
  for (const column of ['done_at', 'settled_at', 'answered_at', 'hook_violations', 'max("number")'])
    expect(sql).toContain(column)
  expect(plan).toContain('SEARCH')
  expect(plan).not.toContain('SCAN')
})

test('a thread is written without walking a table', async () => {
  const { sql, plan } = await planOf(async (store) => {
    await store.commit({ createThread: aThreadDraft({ key: 'k', members: ['reviewer@shop'] }) })
    await store.commit({ post: aMessageDraft({ kind: 'finding', key: 'k' }) })
    await store.commit({
      moveReadCursor: { threadId: THREAD_ID, reader: 'person:ada', number: 1, at: NOON },
      blockThread: { id: THREAD_ID, why: 'enough', at: NOON },
      readdress: { from: taskId('one'), to: null },
    })
    await store.commit({ continueThread: { id: THREAD_ID, by: 'person:ada', why: null, at: NOON } })
  })
  for (const column of ['fingerprint', 'read_cursors', 'guarded_after', '"outbox"'])
    expect(sql).toContain(column)
  expect(plan).toContain('SEARCH')
  expect(plan).not.toContain('SCAN')
})

test('what ends, is archived and is opened again is written without walking a table', async () => {
  const { sql, plan } = await planOf(async (store) => {
    const run = await launch(store, 'one')
    await noteDaemonDeath(store, [run.runId])
    await store.commit({ unsay: { taskId: run.id, runId: run.runId, from: 1 }, openGate: 'key' })
    await store.commit({ reword: { taskId: run.id, number: 1, text: 'other' } })
    await store.commit({ task: aMove(run.id, 'running', 'completed') })
    await markTidied(store, run.id)
    await markArchived(store, run.id, NOON)
    await store.commit({ task: aMove(run.id, 'completed', 'reopened') })
    await store.moveCursor('reader', 1, NOON)
  })
  for (const column of ['daemon_deaths', 'delete from "gates"', 'archived_at', '"cursors"'])
    expect(sql).toContain(column)
  expect(plan).toContain('SEARCH')
  expect(plan).not.toContain('SCAN')
})

test('a notice is written, bound, tried, taken and pruned without walking a table', async () => {
  const { sql, plan } = await planOf(async (store) => {
    const notice = { channel: 'phone', kind: 'completion', question: null, runId: null, at: NOON } as const
    const words = { taskId: taskId('one'), title: 'one', text: 'one completed', options: [] }
    await store.commit({
      notices: [
        { ...notice, ...words, id: 'n1' },
        { ...notice, ...words, id: 'n2' },
      ],
    })
    await store.commit({ dropNotices: { ids: ['n2'], why: 'answered' } })
    await store.commit({ bindNotices: { id: 'd1', channel: 'phone', notices: ['n1'], at: NOON } })
    expect(await store.nextDelivery('phone')).toMatchObject({ id: 'd1' })
    await store.commit({ taken: { id: 'd1', receiver: 'ada' } })
    expect(await store.nextRemainder('phone')).toMatchObject({ id: 'd1' })
    const tried = { id: 'd1', channel: 'phone', nextAt: NOON, error: 'no', at: NOON }
    await store.commit({ tried: { ...tried, before: 0, state: 'set_aside' } })
    await store.commit({ retryNotices: { channel: 'phone', at: NOON } })
    await store.commit({ tried: { ...tried, before: 0, state: 'sent' } })
    await store.prune(
      { eventsBefore: NOON + 1, eventsBeforeAll: 0, auditBefore: 0, runsBefore: 0, messagesBefore: 0 },
      50,
    )
  })
  for (const part of [
    'insert into "notices"',
    '"dropped" =',
    'update "deliveries"',
    'delete from "deliveries"',
  ])
    expect(sql).toContain(part)
  expect(plan).not.toMatch(/SCAN (notices|deliveries|outbox)/)
})

/** An index that holds nothing else than what is looked for may be walked. */
const onlyThose: Record<string, [call: (store: Store) => Promise<unknown>, indexes: RegExp]> = {
  'channels that have something to tell': [
    (store) => store.channelsToTell(),
    /notices_unbound|deliveries_waiting/,
  ],
  'what waits for each channel': [
    (store) => store.noticeCounts(['phone', 'mail']),
    /notices_unbound|deliveries_unsent/,
  ],
  'parents that have something to hear': [(store) => store.parentsToTell(), /outbox_unbound/],
}

test.each(Object.entries(onlyThose))('%s: nothing else is walked', async (_, [call, indexes]) => {
  const { plan } = await planOf(call)
  const walks = plan.split('\n').filter((step) => /SCAN (notices|deliveries|outbox|tasks)/.test(step))
  expect(plan).toMatch(indexes)
  expect(walks.filter((step) => !indexes.test(step))).toEqual([])
})

const after = { part: 'ended', at: NOON, id: 'x' } as const
const pages: Record<string, [filter: ListFilter, index: string]> = {
  'a page of all': [{}, 'tasks_by_status'],
  "a page of a task's children": [{ parent: taskId('one') }, 'tasks_by_parent'],
  "a page of a task's children in the archive": [
    { parent: taskId('one'), archived: true },
    'tasks_by_parent',
  ],
  "a page of a project's": [{ project: '/project' }, 'tasks_by_project'],
  "a page of an agent's": [{ agent: 'claude' }, 'tasks_by_status'],
  "a page of an agent's in a project": [{ agent: 'claude', project: '/project' }, 'tasks_by_project'],
  'a page of failed ones': [{ states: [{ status: 'failed' }] }, 'tasks_by_status'],
  'a page of those with a tag': [{ tag: 'x' }, 'task_tags_by_age'],
  "a page of a project's with a tag": [{ tag: 'x', project: '/project' }, 'task_tags_by_age'],
  'a page of failed ones with a tag': [{ tag: 'x', states: [{ status: 'failed' }] }, 'task_tags_by_age'],
  'a page of the archive': [{ archived: true }, 'tasks_archived'],
}

/** Only what was walked is read: task by task, not by what else the filter names. */
function expectOnlyWalkedRead(plan: string) {
  expect(plan).not.toMatch(/SCAN task/)
  const rows = plan.split('\n').filter((step) => step.startsWith('SEARCH tasks USING INDEX'))
  expect(new Set(rows)).toEqual(new Set(['SEARCH tasks USING INDEX sqlite_autoindex_tasks_1 (id=?)']))
}

test.each(Object.entries(pages))(
  '%s: an index is walked from where the last one stopped, and nothing else is read',
  async (_, [filter, index]) => {
    for (const read of ['taskPage', 'rowPage'] as const) {
      const { plan } = await planOf((store) => store[read](filter, { after, most: 50, mostEnded: 50 }))
      expect(plan).toMatch(new RegExp(`SEARCH task\\w+ USING COVERING INDEX ${index} .*created_at`))
      expectOnlyWalkedRead(plan)
    }
  },
)

const sinceThen = { endedSince: NOON - 1000 }
const byEnd: Record<string, [filter: ListFilter, index: string]> = {
  'a page of those that ended since a time': [sinceThen, 'tasks_by_end'],
  'a page of failed ones that ended since a time': [
    { ...sinceThen, states: [{ status: 'failed' }] },
    'tasks_by_end',
  ],
  'a page of those with a tag that ended since a time': [{ ...sinceThen, tag: 'x' }, 'tasks_by_end'],
  "a page of a project's that ended since a time": [{ ...sinceThen, project: '/project' }, 'tasks_by_end'],
  "a page of an agent's that ended since a time": [{ ...sinceThen, agent: 'claude' }, 'tasks_by_end'],
  "a page of a task's children that ended since a time": [
    { ...sinceThen, parent: taskId('one') },
    'tasks_by_end',
  ],
  'a page of the archive that ended since a time': [
    { ...sinceThen, archived: true },
    'tasks_archived_by_end',
  ],
}

test.each(Object.entries(byEnd))(
  '%s: the index of ends is walked from where the last one stopped, and not beyond the time',
  async (_, [filter, index]) => {
    const walked = `SEARCH tasks USING COVERING INDEX ${index} (ended_at>? AND (ended_at,id)<(?,?))`
    for (const read of ['taskPage', 'rowPage'] as const) {
      const ask = { after: { part: 'by_end', at: NOON, id: 'x' }, most: 50, mostEnded: 50 } as const
      const { plan } = await planOf((store) => store[read](filter, ask))
      expect(plan).toContain(walked)
      expectOnlyWalkedRead(plan)
    }
    const { plan } = await planOf((store) => store.listTotals(filter))
    expect(plan).toContain(`SEARCH tasks USING COVERING INDEX ${index} (ended_at>?)`)
    expectOnlyWalkedRead(plan)
  },
)

test('totals of all, and a place in the queue, are found without a walk', async () => {
  const { plan } = await planOf((store) =>
    store.listTotals({}).then(() => store.listTotals({ archived: true })),
  )
  expect(plan).not.toMatch(/SCAN tasks/)
  expect((await planOf((store) => store.queuePosition(taskId('one')))).plan).not.toContain('SCAN')
})

test('a list does not read the snapshots', async () => {
  const { sql } = await planOf((store) => store.tasks({ limit: 5 }).then(() => store.queue(5)))
  expect(sql).toContain('"created_at"')
  expect(sql).not.toContain('snapshot')
})
