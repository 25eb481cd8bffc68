import { openSqlite } from '../../src/store/database/sqlite-library.ts'
import type { Home } from './home.ts'

/** Ended, tidied tasks by plain SQL, with the counters they would have left. Returns the newest one's id. */
export async function insertTasks(home: Home, count: number): Promise<string> {
  await (await home.store()).close()
  const sqlite = openSqlite(home.paths.database)
  try {
    sqlite.exec('PRAGMA synchronous=OFF; BEGIN')
    sqlite.prepare(INSERT).run(count, home.nodeId, home.project, home.project)
    sqlite.exec(COUNT)
    sqlite.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
    return String(sqlite.prepare('SELECT max(id) AS id FROM tasks').get().id)
  } finally {
    sqlite.close()
  }
}

const INSERT = `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
  INSERT INTO tasks (id, node_id, status, priority, created_at, started_at, ended_at, moves, tidied, agent, mode,
    workspace_id, project, dir, created_by, worked_ms, exit_code, run_id, tokens_in, tokens_out, cost_usd, reason,
    tags, meta, snapshot)
  SELECT printf('20251118-120000-task-%07d', i), ?,
    CASE i % 10 WHEN 0 THEN 'failed' WHEN 1 THEN 'cancelled' ELSE 'completed' END, 0,
    1763467200000 + i, 1763467201000 + i, 1763467261000 + i, 4, 1, 'scripted', 'headless',
    'bench', ?, ?, 'person', 60000, 0, printf('00000000-0000-7000-8000-%012d', i), 1000, 500, 0.01,
    'the agent finished', '[]', '{}',
    '{"prompt":"say hello","persona":null,"restrictions":[],"killGraceMs":10000,"closePane":true,"envNames":[]}'
  FROM n`

const COUNT = `
  UPDATE counters SET value = (SELECT count(*) FROM tasks WHERE 'tasks_' || status = counters.name) WHERE name LIKE 'tasks_%'`
