// Tools by which the agent of a run speaks of its own session. Which one that is, the daemon knows by its token.
import * as z from 'zod/mini'
import * as results from '../results.ts'
import { field, tool, WRITES } from '../tool.ts'

export const ownSessionTools = [
  tool({
    name: 'submit_result',
    description:
      'Hand in the result of your own session, as JSON: it is stored at once, and whoever started the session reads it. A later call replaces it. It does not end the session.',
    hints: { ...WRITES, idempotentHint: true },
    output: results.submitted,
    input: z.strictObject({
      result: field(z.unknown(), 'Any JSON value: an object with what was found or done.'),
    }),
    async handle({ result = null }, world) {
      const { session_id: id } = await world.call('GET /api/self')
      return await world.call('POST /api/tasks/:id/result', { id, body: { result } })
    },
  }),
  tool({
    name: 'heartbeat_session',
    description:
      'Say that your own session is alive, before work that shows nothing for more than a few minutes: `active` while you work, `idle` when you wait.',
    hints: { ...WRITES, idempotentHint: true },
    output: results.heartbeat,
    input: z.strictObject({
      status: field(z.optional(z.enum(['active', 'idle'])), 'What you do. Default: active.'),
    }),
    async handle({ status = 'active' }, world) {
      const { session_id: id } = await world.call('GET /api/self')
      return await world.call('POST /api/tasks/:id/heartbeat', { id, body: { status } })
    },
  }),
] as const
