import { HoldfastError } from '../../../domain/errors.ts'
import type { TriggerJson } from '../../../protocol/json/trigger-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { onInterrupt } from '../../interrupt.ts'
import { oneLine } from '../../render/print/cells.ts'
import { type Column, table } from '../../render/print/table.ts'
import { localSecond } from '../../render/print/time.ts'
import { forcedLine, trackingPage, triggerOutcome } from '../../render/text/trigger-text.ts'
import { DEFAULT_PATIENCE_SECONDS, staysText, waitForTrigger } from '../../waiting/wait-for-trigger.ts'

/** With --wait it exits as `send --wait` does. */
export async function triggerShow(
  { args: { trigger: id }, options }: InputOf<'trigger show'>,
  context: Context,
): Promise<number> {
  const { trigger, exit } = await lookAt(id, options, context)
  context.show(trigger, () => trackingPage(trigger, Date.now()))
  return exit
}

async function lookAt(id: string, { wait, timeout }: InputOf<'trigger show'>['options'], context: Context) {
  if (wait === undefined) {
    if (timeout !== undefined) throw new HoldfastError('USAGE', '--timeout needs --wait.')
    return { trigger: await context.daemon().call('GET /api/triggers/:id', { id, query: {} }), exit: 0 }
  }
  onInterrupt(() => context.say(staysText(id, wait)))
  return waitForTrigger(id, wait, timeout === undefined ? DEFAULT_PATIENCE_SECONDS : timeout, context)
}

/** Exits 1 when it was not forced by this operator: another did so before, or it does not wait any more. */
export async function triggerForce(
  { args: { trigger: id }, options }: InputOf<'trigger force'>,
  context: Context,
): Promise<number> {
  const { operator = '', why = '' } = options
  if (operator.trim() === '' || why.trim() === '')
    throw new HoldfastError('USAGE', 'It needs --operator (who is responsible) and --why.')
  const trigger = await context.daemon().call('POST /api/triggers/:id/force', { id, body: { operator, why } })
  context.show(trigger, () => [...triggerOutcome(trigger, Date.now()), ...forcedLine(trigger, { operator })])
  return trigger.forced_by === operator && trigger.forced_why === why ? 0 : 1
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
    list.triggers.length === 0
      ? [Object.keys(query).length === 0 ? 'No prompts were sent.' : 'No prompt fits.']
      : table(columns, list.triggers, context.width()),
  )
  return 0
}
