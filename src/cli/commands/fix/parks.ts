import { HoldfastError } from '../../../domain/errors.ts'
import type {
  GateJson,
  ParkedJson,
  ParksJson,
  UnparkedJson,
  UnparkedOneJson,
} from '../../../protocol/json/recovery-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'
import { elapsed, localMinute } from '../../render/print/time.ts'
import { localTime } from '../../render/text/next-text.ts'
import { bulkOrder, failureCode } from '../../waiting/bulk-order.ts'

/** Above this number of sessions, only the number is printed. */
const MOST_LISTED = 10

export async function parks(_: InputOf<'parks'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('GET /api/parks')
  context.show(answer, () => parksLines(answer, Date.now()))
  return 0
}

export async function unpark({ args, options }: InputOf<'unpark'>, context: Context): Promise<number> {
  const { id } = args
  if ((id === undefined) === !options.all) throw new HoldfastError('USAGE', 'Name one session, or use --all.')
  if (id === undefined) return await unparkAll(context)
  const unparked = await context.daemon().call('POST /api/tasks/:id/unpark', { id })
  context.show(unparked, () => unparkedLines(unparked))
  return 0
}

async function unparkAll(context: Context): Promise<number> {
  const answer = context.daemon().stream('POST /api/parks/unpark')
  const done = await bulkOrder<UnparkedOneJson>(answer, { doing: 'Unparking', done: 'unparked' }, context)
  const { results, failures } = done
  const opened = results.flatMap((one) => ('opened' in one ? one.opened : []))
  const tasks = results.flatMap((one) => ('session_id' in one ? one.session_id : []))
  context.show({ opened, tasks, failures }, () =>
    tasks.length + opened.length === 0 && failures.length > 0
      ? ['No session was unparked']
      : unparkedLines({ opened, tasks }),
  )
  return failureCode(done, context)
}

function parksLines({ gates, parked }: ParksJson, now: number): string[] {
  const blocks = [...gates.map((gate) => gateLines(gate, now)), ...parked.map((one) => parkedLines(one, now))]
  if (blocks.length === 0) return ['Nothing is parked']
  return [
    ...blocks.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines])),
    '',
    'Instead of waiting: `holdfast unpark <id>` lets one try now, `holdfast unpark --all` all of them',
  ]
}

const KINDS: Readonly<Record<GateJson['kind'], string>> = {
  limit: 'usage limit',
  environment: 'problem with the machine or the network',
  breaker: 'keeps failing',
}

function gateLines(gate: GateJson, now: number): string[] {
  const { agent, kind, reason, since, until, canary, tries, waiting } = gate
  const tried = tries === 0 ? '' : `, tried ${tries === 1 ? 'once' : `${tries} times`} without success`
  const next =
    canary === null
      ? timeLeft(until, now)
      : `${canary} tests whether it is over; the others follow when it makes progress`
  return [
    `${agent === null ? 'All agents' : oneLine(agent)}: ${KINDS[kind]}, since ${localMinute(since)}${tried}`,
    `  ${oneLine(reason)}`,
    `  ${next}`,
    ...waiting.map((id) => `    ${id}`),
  ]
}

const parkedLines = ({ session_id, agent, reason, until }: ParkedJson, now: number): string[] => [
  `${session_id} (${oneLine(agent)}), only this session`,
  `  ${oneLine(reason ?? '')}`,
  `  ${until === null ? 'goes on now' : timeLeft(until, now)}`,
]

function timeLeft(until: string, now: number): string {
  const seconds = (Date.parse(until) - now) / 1000
  return seconds > 0 ? `until ${localTime(until, now)}, ${elapsed(seconds)} left` : 'goes on now'
}

function unparkedLines({ opened, tasks }: UnparkedJson): string[] {
  if (tasks.length + opened.length === 0) return ['Nothing was parked']
  if (tasks.length === 0) return ['Nothing holds sessions back now']
  return tasks.length > MOST_LISTED ? [`${tasks.length} sessions go on`] : tasks.map((id) => `${id} goes on`)
}
