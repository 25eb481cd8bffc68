// Fills a home with many ended tasks before its daemon starts: the tables as migrations make them, the rows by plain SQL.
import { mkdirSync, writeFileSync } from 'node:fs'
import { homePaths } from '../../../src/domain/names/home.ts'
import { asNodeId } from '../../../src/domain/names/ids.ts'
import { openSqlite } from '../../../src/store/database/sqlite-library.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { systemClock } from '../../../src/system/clock.ts'

const NODE = '00000000-0000-7000-8000-000000000001'

/** Of ten tasks, one failed, one was killed, and eight are completed; the newest is `task-<count>`. */
export async function insertTasks(home: string, project: string, count: number): Promise<void> {
  const paths = homePaths(home)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(paths.nodeId, `${NODE}\n`)
  const node = { id: asNodeId(NODE), host: 'seeder', pid: process.pid, version: '0' }
  await (await openStore({ path: paths.database, node, clock: systemClock })).close()
  const sqlite = openSqlite(paths.database)
  try {
    sqlite.exec('PRAGMA synchronous=OFF; BEGIN')
    sqlite.prepare(INSERT).run(count, NODE, project, project)
    sqlite.exec(COUNT)
    sqlite.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    sqlite.close()
  }
}

/** Seeded tasks have ended at these times (epoch ms) instead, by their numbers. */
export function setEnds(home: string, ends: ReadonlyMap<number, number>): void {
  const sqlite = openSqlite(homePaths(home).database)
  try {
    const set = sqlite.prepare('UPDATE tasks SET ended_at = ? WHERE title = ?')
    for (const [number, at] of ends) set.run(at, `Seeded task ${number}`)
  } finally {
    sqlite.close()
  }
}

const INSERT = `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
  INSERT INTO tasks (id, node_id, status, priority, created_at, started_at, ended_at, moves, tidied, agent, mode,
    workspace_id, project, dir, created_by, worked_ms, exit_code, run_id, tokens_in, tokens_out, cost_usd, reason,
    tags, meta, title, snapshot)
  SELECT printf('20251118-120000-task-%07d', i), ?,
    CASE i % 10 WHEN 0 THEN 'failed' WHEN 1 THEN 'cancelled' ELSE 'completed' END, 0,
    1763467200000 + i, 1763467201000 + i, 1763467261000 + i, 4, 1, 'scripted', 'headless',
    'seeded', ?, ?, 'person', 60000, 0, printf('00000000-0000-7000-8000-%012d', i), 1000, 500, 0.01,
    'the agent finished', '[]', '{}', printf('Seeded task %d', i),
    '{"prompt":"say hello","persona":null,"restrictions":[],"killGraceMs":10000,"closePane":true,"envNames":[]}'
  FROM n`

const COUNT = `
  UPDATE counters SET value = (SELECT count(*) FROM tasks WHERE 'tasks_' || status = counters.name) WHERE name LIKE 'tasks_%'`
