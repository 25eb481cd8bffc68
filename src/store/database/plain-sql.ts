// Owns SQL that is put together as text, for queries so frequent that building them with Kysely would cost more than
// running them. Values are always parameters.
import { CompiledQuery } from 'kysely'
import { type Holding, read } from './holding.ts'
import { storable } from './storable-text.ts'

export type Sql = { readonly text: string; readonly values: readonly unknown[] }

const isSql = (part: unknown): part is Sql => typeof part === 'object' && part !== null && 'text' in part

/** Each `${}` is a parameter, unless it is SQL itself. Columns are written as they are in the database. */
export function plain(texts: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  let text = ''
  const values: unknown[] = []
  for (const [index, between] of texts.entries()) {
    text += between
    // Nothing follows the last text.
    if (index === parts.length) break
    const part = parts[index]
    text += isSql(part) ? part.text : '?'
    values.push(...(isSql(part) ? part.values : [part]))
  }
  return { text, values }
}

export const nothing: Sql = { text: '', values: [] }

/** Text that becomes part of the SQL as it is: never something that a user gave. */
export const verbatim = (text: string): Sql => ({ text, values: [] })

export const joined = (parts: readonly Sql[], between: string): Sql => ({
  text: parts.map(({ text }) => text).join(between),
  values: parts.flatMap(({ values }) => values),
})

export const runSql = <Row>(holding: Holding, { text, values }: Sql): Promise<Row[]> =>
  read(holding, async (db) => {
    const query = CompiledQuery.raw(holding.backend.numbered(text), values.map(storable))
    return (await db.executeQuery<Row>(query)).rows
  })

/** All rows as one JSON text that the database makes: several times faster than row by row. */
export async function runSqlAsJson<Row>(
  holding: Holding,
  columns: readonly Sql[],
  from: Sql,
): Promise<Row[]> {
  const { row, rows } = holding.backend.jsonArrays
  const values = joined(columns, ', ')
  const all = plain`select ${verbatim(rows)}(${verbatim(row)}(${values})) as json from (${from}) as listed`
  const [{ json }] = (await runSql<{ json: string | null }>(holding, all)) as [{ json: string | null }]
  return JSON.parse(json ?? '[]')
}
