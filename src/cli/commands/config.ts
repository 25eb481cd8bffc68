import type { ConfigEntryJson } from '../../protocol/api.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { oneLine } from '../render/cells.ts'
import { type Column, table } from '../render/table.ts'

const columns: readonly Column<ConfigEntryJson>[] = [
  { title: 'KEY', of: ({ key }) => key, least: 12, rank: 3 },
  { title: 'VALUE', of: ({ text }) => text, least: 6, rank: 2 },
  { title: 'SOURCE', of: ({ source }) => source, least: 7, rank: 1 },
]

export async function showConfig({ options }: InputOf<'config show'>, context: Context): Promise<number> {
  const query = { dir: context.path(options.dir) }
  const answer = await context.daemon().call('GET /api/config', { query })
  context.show(answer, () => table(columns, answer.entries, context.width()))
  if (!context.json)
    for (const note of answer.notes) context.say(`Notice: ${oneLine(note)}; see \`holdfast trust\``)
  return 0
}
