import type { TriggerJson } from '../../../protocol/trigger-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/cells.ts'
import { type Column, table } from '../../render/table.ts'
import { localSecond } from '../../render/time.ts'
import { trackingPage } from '../../render/trigger-text.ts'

export async function triggerShow({ args }: InputOf<'trigger show'>, context: Context): Promise<number> {
  const trigger = await context.daemon().call('GET /api/triggers/:id', { id: args.trigger, query: {} })
  context.show(trigger, () => trackingPage(trigger, Date.now()))
  return 0
}

const columns: readonly Column<TriggerJson>[] = [
  { title: 'TRIGGER', of: ({ trigger_id }) => trigger_id, least: 'whole', rank: 5 },
  { title: 'STATE', of: ({ state }) => state, least: 'whole', rank: 4 },
  { title: 'CODE', of: ({ code }) => code ?? '-', least: 8, rank: 2 },
  { title: 'TO', of: ({ session_id }) => session_id, least: 15, rank: 3 },
  { title: 'THREAD', of: ({ thread }) => thread ?? '-', least: 8, rank: 1 },
  { title: 'SINCE', of: ({ state_since }) => localSecond(state_since), least: 19, rank: 1 },
  { title: 'FROM', of: ({ by }) => oneLine(by), least: 8, rank: 0 },
]

export async function triggerList({ options }: InputOf<'trigger list'>, context: Context): Promise<number> {
  const { thread, to, state, limit } = options
  const query = {
    ...(thread === undefined ? {} : { thread }),
    ...(to === undefined ? {} : { to }),
    ...(state === undefined ? {} : { state }),
    ...(limit === undefined ? {} : { limit }),
  }
  const list = await context.daemon().call('GET /api/triggers', { query })
  context.show(list, () =>
    list.triggers.length === 0 ? ['No prompts were sent.'] : table(columns, list.triggers, context.width()),
  )
  return 0
}
