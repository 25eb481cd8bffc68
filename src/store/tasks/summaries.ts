// Owns reading many tasks at once.
import type { ListedTask, TaskSummary } from '../../domain/task/task.ts'
import type { Holding } from '../database/holding.ts'
import { plain, runSqlAsJson, type Sql, verbatim } from '../database/plain-sql.ts'
import type { TaskTable } from '../database/schema.ts'
import { askerOf, SUMMARY, summaryOf } from './task-rows.ts'

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The columns by their names in the database, for `select`. */
const columns = (names: readonly string[]): Sql => verbatim(names.map(snake).join(', '))

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

const asJsonValues = (names: readonly string[]): Sql[] =>
  names.map((name) => verbatim(JSON_COLUMNS.has(name) ? `cast(${snake(name)} as text)` : snake(name)))

/** Besides the columns: of the question that the task waits for, found by its key, so that no query is made for it. */
const ASKED_REF = verbatim(
  '(select ref from questions where questions.task_id = tasks.id and questions.number = tasks.question) as asked_ref',
)
export const listedColumns = (names: readonly string[]): Sql => plain`${columns(names)}, ${ASKED_REF}`
export const asListedValues = (names: readonly string[]): Sql[] => asJsonValues([...names, 'askedRef'])

/** `found`: SQL that selects the columns of a summary, with those of a list. */
export async function listedTasks(holding: Holding, found: Sql): Promise<ListedTask[]> {
  const rows = await runSqlAsJson<unknown[]>(holding, asListedValues(SUMMARY), found)
  return rows.map((values) => {
    const row = rowFrom(values)
    return { ...summaryOf(row), askedBy: askerOf(row.question, values[SUMMARY.length] as string | null) }
  })
}

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
