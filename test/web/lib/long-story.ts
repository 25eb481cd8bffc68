// Gives a task a long past while no daemon runs: steps of its story and events of the journal, by plain SQL.
import { homePaths } from '../../../src/domain/names/home.ts'
import { openSqlite } from '../../../src/store/database/sqlite-library.ts'

const STEP_MS = 1000

/** Before what really happened since its creation: it was launched, worked, was killed and queued, a step each second. */
export function insertPast(home: string, id: string, steps: number): void {
  const sqlite = openSqlite(homePaths(home).database)
  const run = (sql: string, ...values: (string | number)[]) => void sqlite.prepare(sql).run(...values)
  const ms = steps * STEP_MS
  try {
    sqlite.exec('BEGIN')
    // Twice, because no number may be there two times in between.
    run('UPDATE task_transitions SET number = -number - ? WHERE task_id = ? AND number > 1', steps, id)
    run('UPDATE task_transitions SET number = -number WHERE task_id = ? AND number < 0', id)
    run('UPDATE task_transitions SET at = at - ? WHERE task_id = ? AND number = 1', ms, id)
    run('UPDATE tasks SET created_at = created_at - ?, moves = moves + ? WHERE id = ?', ms, steps, id)
    run(STEPS, steps, STEP_MS, id)
    run(EVENTS, id, steps)
    run(SEQUENCE)
    sqlite.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    sqlite.close()
  }
}

const STEPS = `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
  INSERT INTO task_transitions (task_id, number, event, from_status, to_status, phase, at, reason, evidence)
  SELECT tasks.id, i + 1,
    CASE i % 4 WHEN 1 THEN 'launched' WHEN 2 THEN 'agent_started' WHEN 3 THEN 'backed_off' ELSE 'requeued' END,
    CASE i % 4 WHEN 1 THEN 'pending' ELSE 'running' END,
    CASE i % 4 WHEN 0 THEN 'pending' ELSE 'running' END,
    CASE i % 4 WHEN 1 THEN 'starting' WHEN 2 THEN 'working' WHEN 3 THEN 'backing_off' ELSE 'queued' END,
    tasks.created_at + i * ?, 'step ' || i || ' of a long past',
    CASE i % 4 WHEN 3 THEN '[{"source":"exit_record","fact":"signal KILL"}]' ELSE '[]' END
  FROM n, tasks WHERE tasks.id = ?`

const EVENTS = `
  WITH RECURSIVE last(node_id, seq, at, task_id) AS (
    SELECT node_id, max(seq), max(at), ? FROM events GROUP BY node_id
  ), n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
  INSERT INTO events (node_id, seq, at, kind, task_id, data)
  SELECT node_id, seq + i, at, 'task_turn_began', task_id,
    '{"status":"running","phase":"working","reason":"an event of a long past","run_id":null}'
  FROM last, n`

const SEQUENCE = `
  UPDATE counters SET value = (SELECT max(seq) FROM events WHERE events.node_id = counters.node_id)
  WHERE name = 'event_seq'`
