import { HoldfastError, isHoldfastError } from '../../../domain/errors.ts'
import type { JournalJson, SetAsideJson, SubscriberJson } from '../../../protocol/json/journal-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { type Column, table } from '../../render/print/table.ts'
import { localSecond } from '../../render/print/time.ts'
import { nodeLine, silentSince } from '../../render/text/elsewhere-text.ts'

export async function showJournal(_input: InputOf<'journal show'>, context: Context): Promise<number> {
  show(await context.daemon().call('GET /api/journal'), context)
  return 0
}

export async function retryEvents(_input: InputOf<'journal retry'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('POST /api/journal/retry')
  show(answer, context)
  return answer.set_aside.length === 0 ? 0 : 2
}

export async function dropEvent({ args }: InputOf<'journal drop'>, context: Context): Promise<number> {
  const answer = context.daemon().call('POST /api/journal/drop', { body: { event: args.event } })
  show(await answer.catch(asWrongUse), context)
  return 0
}

/** Who typed a name is told where names are found, not how a request is written. */
function asWrongUse(error: unknown): never {
  if (!isHoldfastError(error, 'INVALID_REQUEST')) throw error
  throw new HoldfastError('USAGE', `${error.message} \`holdfast journal show\` names them.`)
}

const ofSubscribers: readonly Column<SubscriberJson>[] = [
  { title: 'SUBSCRIBER', of: ({ name }) => name, least: 'whole', rank: 3 },
  { title: 'BEHIND', of: ({ behind }) => String(behind), least: 6, rank: 1 },
  { title: 'SET ASIDE', of: ({ set_aside }) => String(set_aside), least: 9, rank: 2 },
  { title: 'KEEPS OLD EVENTS', of: (one) => (one.holds_pruning ? 'yes' : '-'), least: 16, rank: 0 },
]

/** What can be done about one whose daemon may be gone for good. */
function goneLines(one: SubscriberJson): string[] {
  const node = nodeLine(one)
  return node === null || silentSince(one) === null
    ? []
    : [`${one.name} is of ${node}. If it is gone for good: \`holdfast journal drop ${one.name}\`.`]
}

const ofSetAside: readonly Column<SetAsideJson>[] = [
  { title: 'TIME', of: ({ at }) => localSecond(at), least: 19, rank: 1 },
  { title: 'EVENT', of: ({ id }) => id, least: 'whole', rank: 5 },
  { title: 'KIND', of: ({ kind }) => kind, least: 10, rank: 3 },
  { title: 'SESSION', of: ({ session_id }) => session_id ?? '-', least: 10, rank: 2 },
  { title: 'WHY', of: ({ why }) => why ?? 'waits behind an earlier one', least: 10, rank: 4 },
]

const show = (answer: JournalJson, context: Context) =>
  context.show(answer, () => [
    ...table(ofSubscribers, answer.subscribers, context.width()),
    ...answer.subscribers.flatMap(goneLines),
    ...answer.missed.map(({ at, what }) => `${localSecond(at)}  missed events: ${what}`),
    ...(answer.set_aside.length === 0
      ? ['No event is set aside.']
      : [
          ...table(ofSetAside, answer.set_aside, context.width()),
          'Try them again: `holdfast journal retry`. Give one up: `holdfast journal drop <event>`.',
        ]),
  ])
