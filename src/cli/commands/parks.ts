import { HoldfastError } from '../../domain/errors.ts'
import type { GateJson, ParkedJson, ParksJson, UnparkedJson } from '../../protocol/recovery-json.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { oneLine } from '../render/cells.ts'
import { localTime } from '../render/next-text.ts'
import { elapsed, localMinute } from '../render/time.ts'

export async function parks(_: InputOf<'parks'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('GET /api/parks')
  context.show(answer, () => parksLines(answer, Date.now()))
  return 0
}

export async function unpark({ args, options }: InputOf<'unpark'>, context: Context): Promise<number> {
  const { id } = args
  if ((id === undefined) === !options.all) throw new HoldfastError('USAGE', 'Name one session, or say --all.')
  const daemon = context.daemon()
  const unparked =
    id === undefined
      ? await daemon.call('POST /api/parks/unpark')
      : await daemon.call('POST /api/tasks/:id/unpark', { id })
  context.show(unparked, () => unparkedLines(unparked))
  return 0
}

export function parksLines({ gates, parked }: ParksJson, now: number): string[] {
  const blocks = [...gates.map((gate) => gateLines(gate, now)), ...parked.map((one) => parkedLines(one, now))]
  if (blocks.length === 0) return ['Nothing is parked']
  return blocks.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]))
}

const KINDS: Readonly<Record<GateJson['kind'], string>> = {
  limit: 'usage limit',
  environment: 'trouble of the machine or the network',
  breaker: 'keeps failing',
}

function gateLines(gate: GateJson, now: number): string[] {
  const { agent, kind, reason, since, until, canary, tries, waiting } = gate
  const tried = tries === 0 ? '' : `, tried in vain ${tries === 1 ? 'once' : `${tries} times`}`
  const next =
    canary === null
      ? timeLeft(until, now)
      : `${canary} tries whether it is over; the rest follow when it gets on`
  return [
    `${agent === null ? 'All agents' : oneLine(agent)}: ${KINDS[kind]}, since ${localMinute(since)}${tried}`,
    `  ${oneLine(reason)}`,
    `  ${next}`,
    ...waiting.map((id) => `    ${id}`),
  ]
}

const parkedLines = ({ session_id, agent, reason, until }: ParkedJson, now: number): string[] => [
  `${session_id} (${oneLine(agent)}), by itself`,
  `  ${oneLine(reason ?? '')}`,
  `  ${until === null ? 'goes on now' : timeLeft(until, now)}`,
]

function timeLeft(until: string, now: number): string {
  const seconds = (Date.parse(until) - now) / 1000
  return seconds > 0 ? `until ${localTime(until, now)}, ${elapsed(seconds)} left` : 'goes on now'
}

function unparkedLines({ opened, tasks }: UnparkedJson): string[] {
  if (tasks.length + opened.length === 0) return ['Nothing was parked']
  return tasks.length === 0 ? ['The way is free'] : tasks.map((id) => `${id} goes on`)
}
