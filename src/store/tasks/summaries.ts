// Owns reading many tasks at once.
import type { TaskSummary } from '../../domain/task/task.ts'
import type { Holding } from '../database/holding.ts'
import { plain, runSqlAsJson, type Sql, verbatim } from '../database/plain-sql.ts'
import type { TaskTable } from '../database/schema.ts'
import { SUMMARY, summaryOf } from './task-rows.ts'

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The columns by their names in the database, for `select`. */
export const columns = (names: readonly string[]): Sql => verbatim(names.map(snake).join(', '))

/** Columns with JSON are read as text, also inside a JSON array, as they are when a row is read by itself. */
const JSON_COLUMNS: ReadonlySet<string> = new Set<keyof TaskTable>([
  'tags',
  'meta',
  'stop',
  'hookViolations',
  'goOn',
  'waitsFor',
  'restart',
  'verification',
  'sessionUsage',
])

export const asJsonValues = (names: readonly string[]): Sql[] =>
  names.map((name) => verbatim(JSON_COLUMNS.has(name) ? `cast(${snake(name)} as text)` : snake(name)))

/** `which`: the SQL that follows `where`. */
export const readSummaries = (holding: Holding, which: Sql): Promise<TaskSummary[]> =>
  summaries(holding, plain`select ${columns(SUMMARY)} from tasks where ${which}`)

/** `found`: SQL that selects the columns of a summary. */
export async function summaries(holding: Holding, found: Sql): Promise<TaskSummary[]> {
  const rows = await runSqlAsJson<unknown[]>(holding, asJsonValues(SUMMARY), found)
  return rows.map((values) => summaryOf(rowFrom(values)))
}

function rowFrom(values: readonly unknown[]) {
  const row: Record<string, unknown> = {}
  let n = 0
  for (const name of SUMMARY) row[name] = values[n++]
  return row as Parameters<typeof summaryOf>[0]
}
