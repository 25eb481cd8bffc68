// Tools by which agents and people talk to each other in threads, and acknowledge what woke them.
import * as z from 'zod/mini'
import * as results from '../results.ts'
import { field, LONGEST_SECONDS, shortText, tool, WRITES } from '../tool.ts'
import { askAgainIfCut } from './ask-again.ts'

const REPEATABLE = { ...WRITES, idempotentHint: true }

const threadId = () => field(shortText(), 'The thread: its id, th_….')
const key = (what: string) =>
  field(z.optional(shortText()), `A name of your choice: the same key again is the same ${what}.`)

export const threadTools = [
  tool({
    name: 'create_thread',
    description:
      'Open a thread, in which agents and people leave messages for each other. Returns its id. Members are told of new messages.',
    hints: WRITES,
    output: results.thread,
    input: z.strictObject({
      title: field(shortText(), 'What it is about.'),
      workspace: field(z.optional(shortText()), 'The workspace it belongs to: its slug, id or path.'),
      members: field(
        z.optional(z.array(shortText()).check(z.maxLength(100))),
        'Who takes part: `task:<session id>`, `<role>@<workspace>` or `person:<name>`.',
      ),
      key: key('thread'),
    }),
    handle: (body, world) => world.call('POST /api/threads', { body }),
  }),
  tool({
    name: 'read_messages',
    description:
      'Read the messages of a thread that you have not read. `up_to` of the answer, given with the next call, says that you are done with them; until then they come again.',
    hints: REPEATABLE,
    output: results.unread,
    input: z.strictObject({
      thread: threadId(),
      up_to: field(
        z.optional(z.int().check(z.nonnegative())),
        'You are done with the messages up to this number.',
      ),
      wait_seconds: field(
        z.optional(z.number().check(z.minimum(0), z.maximum(LONGEST_SECONDS))),
        'Wait so long for a message when there is none.',
      ),
      limit: field(z.optional(z.int().check(z.positive(), z.maximum(100))), 'At most so many messages.'),
    }),
    handle: ({ thread: id, ...body }, world) => {
      const read = (wait_seconds: number) =>
        world.call('POST /api/threads/:id/read', { id, body: { ...body, wait_seconds } })
      return askAgainIfCut(read, body.wait_seconds ?? 0, world)
    },
  }),
  tool({
    name: 'post_message',
    description:
      'Leave a message in a thread. Who wrote it is known by your token. A thread in which nothing new is said any more is blocked until somebody decides.',
    hints: WRITES,
    output: results.posted,
    input: z.strictObject({
      thread: threadId(),
      text: field(z.string().check(z.minLength(1)), 'What to say.'),
      kind: field(
        z.optional(z.enum(['message', 'finding', 'status', 'result'])),
        '`finding`: something you found. `status`: how far you are. `result`: what came out. Default: message.',
      ),
      refs: field(
        z.optional(z.array(shortText()).check(z.maxLength(50))),
        'What it refers to: files, sessions, triggers.',
      ),
      key: key('message'),
    }),
    handle: ({ thread: id, ...body }, world) => world.call('POST /api/threads/:id/messages', { id, body }),
  }),
  tool({
    name: 'ack_trigger',
    description:
      'Say that a trigger reached you, by the id in its first line ([BRIDGE_TRIGGER id=…]). Do so before you begin to work on it.',
    hints: REPEATABLE,
    output: results.trigger,
    input: z.strictObject({ trigger: field(shortText(), 'The id of the trigger, trg_….') }),
    handle: ({ trigger: id }, world) => world.call('POST /api/triggers/:id/ack', { id }),
  }),
] as const
