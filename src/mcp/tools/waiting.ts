// The tool that waits for sessions: one call instead of many questions.
import * as z from 'zod/mini'
import { HoldfastError } from '../../domain/errors.ts'
import type { MonitorAskJson, MonitoredJson, MonitorLookJson } from '../../protocol/json/monitor-json.ts'
import * as results from '../results.ts'
import { field, LONGEST_SECONDS, READS, type ToolWorld, taskId, tool } from '../tool.ts'
import { askAgainIfCut } from './ask-again.ts'

/** The name of a reader, and the last event that it was told. */
const CURSOR = /^([A-Za-z0-9][\w.-]{0,63})@(\d{1,15})$/

export const waitingTools = [
  tool({
    name: 'wait',
    description:
      'Wait until all given sessions are done, or one of them needs a decision; with `any`, until one is done. Answers after at most 45 seconds: when `over` is false, call it again with the `cursor` of this answer. Nothing is missed in between, also when the daemon was restarted. Never poll with `get_task`.',
    hints: { ...READS, readOnlyHint: true },
    output: results.waited,
    input: z.strictObject({
      tasks: field(z.array(taskId()).check(z.minLength(1), z.maxLength(100)), 'The sessions to wait for.'),
      any: field(z.optional(z.boolean()), 'True: the first session that is done is enough.'),
      until: field(
        z.optional(z.enum(['idle', 'ended'])),
        '`idle` (default): a session whose turn is over counts as done. `ended`: only one that has ended.',
      ),
      seconds: field(
        z.optional(z.number().check(z.minimum(0), z.maximum(LONGEST_SECONDS))),
        'How long to wait at most. Default: 45.',
      ),
      cursor: field(
        z.optional(z.string().check(z.maxLength(100))),
        'The `cursor` of the answer before: what it told counts as received.',
      ),
    }),
    async handle({ tasks, any, until, seconds = LONGEST_SECONDS, cursor }, world) {
      const { name, ack } = reader(cursor, world)
      const ask = { ids: tasks, cursor: name, ...(any === undefined ? {} : { any }), ...(until && { until }) }
      const deadline = world.monotonic() + seconds * 1000
      const body = { ...ask, wait_seconds: 0, ...(ack === undefined ? {} : { ack }) }
      let look = await askAgainIfCut(() => world.call('POST /api/monitor', { body }), 0, world)
      for (let left = seconds; !look.over && left > 0; left = (deadline - world.monotonic()) / 1000)
        look = await askAgainIfCut((wait_seconds) => lookOn(ask, look, wait_seconds, world), left, world)
      return told(look, name)
    },
  }),
] as const

/** Whole ids: a part of an id may also fit a newer session. */
const lookOn = (
  ask: Omit<MonitorAskJson, 'seen' | 'wait_seconds'>,
  { tasks, seen }: MonitorLookJson,
  wait_seconds: number,
  world: ToolWorld,
) => {
  const ids = tasks.map(({ session_id }) => session_id)
  return world.call('POST /api/monitor', { body: { ...ask, ids, seen, wait_seconds } })
}

function reader(cursor: string | undefined, world: ToolWorld): { name: string; ack?: number } {
  if (cursor === undefined) return { name: `wait-${world.newName()}` }
  const [, name, seq] = CURSOR.exec(cursor) ?? []
  if (name === undefined)
    throw new HoldfastError('INVALID_REQUEST', "'cursor' must be that of an earlier answer.")
  return { name, ack: Number(seq) }
}

const told = ({ over, tasks, events, cursor }: MonitorLookJson, name: string) => ({
  over,
  tasks: tasks.map(standing),
  events: events.map(({ at, session_id, event, reason }) => ({ at, session_id, event, reason })),
  cursor: `${name}@${cursor ?? 0}`,
})

const standing = (task: MonitoredJson) => ({
  session_id: task.session_id,
  final_state: task.final_state,
  exit_reason: task.exit_reason,
  task_status: task.task_status,
  phase: task.phase,
  next: task.next,
  question: task.question,
  last_words: task.last_words,
})
