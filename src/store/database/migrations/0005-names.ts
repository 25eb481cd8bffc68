import { sql } from 'kysely'
import { asTaskId } from '../../../domain/names/ids.ts'
import { titleOf } from '../../../domain/names/title.ts'
import type { Backend } from '../backends.ts'
import type { Tx } from '../holding.ts'

/** What people call a task, and what it is about. */
export const names = ({ text }: Backend): readonly string[] => [
  `alter table tasks add column name ${text}`,
  `alter table tasks add column title ${text} not null default ''`,
  'create index tasks_by_name on tasks (name)',
]

/** Prompts may be long: not all of them are read at once. */
const PAGE = 500

/** Titles of the tasks that are there already, made as for new ones, which SQL cannot do. */
export async function fillTitles(tx: Tx, { jsonField }: Backend): Promise<void> {
  const prompt = sql.raw<string>(jsonField('snapshot', 'prompt'))
  for (let last = asTaskId(''); ; ) {
    const page = tx
      .selectFrom('tasks')
      .select(['id', prompt.as('prompt')])
      .orderBy('id')
      .limit(PAGE)
    const rows = await page.where('id', '>', last).execute()
    for (const { id, prompt } of rows)
      await tx
        .updateTable('tasks')
        .set({ title: titleOf(prompt) })
        .where('id', '=', id)
        .execute()
    const end = rows.at(-1)
    if (end === undefined || rows.length < PAGE) return
    last = end.id
  }
}
