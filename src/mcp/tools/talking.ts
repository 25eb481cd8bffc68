// Tools to speak with the agent of another session.
import * as z from 'zod/mini'
import { sentSince } from '../../protocol/sent-since.ts'
import * as results from '../results.ts'
import { field, READS, shortText, taskId, tool, WRITES } from '../tool.ts'
import { briefly } from './tasks.ts'
import { triggerWhen, waiting } from './wait-for-trigger.ts'

export const talkingTools = [
  tool({
    name: 'answer',
    description:
      'Answer the question that a session asks. A run may answer only for sessions that it started, never for itself. See `questions` of `get_task`.',
    hints: WRITES,
    output: results.answered,
    input: z.strictObject({
      task: taskId(),
      choice: field(
        z.string().check(z.minLength(1), z.maxLength(64 * 1024)),
        'The number of an option (from 1), its words, or any other text.',
      ),
      question: field(
        z.optional(z.int().check(z.positive())),
        'The number of the question, when several are open.',
      ),
    }),
    async handle({ task: id, ...body }, world) {
      const { answer, settled, question, task } = await world.call('POST /api/tasks/:id/answer', { id, body })
      return { ...briefly(task), question: question.question, answer, settled }
    },
  }),
  tool({
    name: 'send_trigger',
    description:
      'Send a further prompt to the agent of a session that listens. It is said once, when the agent is ready for it. `state` says how far it has come; while it is not heard, `next` says what it waits for. With `wait` it answers when the agent has it, or has acknowledged it; `waited` then says how far it came and how to go on. A run may send only to sessions that it started; the orchestrator also to runtimes of its workspace.',
    hints: WRITES,
    output: results.sent,
    input: z.strictObject({
      task: taskId(),
      text: field(z.string().check(z.minLength(1)), 'What to say.'),
      thread: field(
        z.optional(shortText()),
        'The thread it belongs to, th_…: the agent gets it in an envelope with the id to acknowledge.',
      ),
      reason: field(
        z.optional(shortText()),
        'Why it is sent, as one word without blanks, such as `review_done`.',
      ),
      key: field(z.optional(shortText()), 'A name of your choice: the same key again is the same trigger.'),
      ...waiting,
    }),
    async handle({ task: id, text, wait, seconds, ...rest }, world) {
      const sent = await world.call('POST /api/tasks/:id/inputs', { id, body: { prompt: text, ...rest } })
      if (wait === undefined || sent.trigger_id === null) return { ...sent, waited: null }
      const { trigger, waited } = await triggerWhen(sent.trigger_id, { wait, seconds }, world)
      return { ...sentSince(sent, trigger), waited }
    },
  }),
  tool({
    name: 'get_trigger',
    description:
      'How far a trigger has come: its state, each step with what it was concluded from, and who acknowledged it. With `wait` it answers when the agent has it, or has acknowledged it; while `waited.outcome` is `not_yet`, call it again. It sends nothing.',
    hints: READS,
    output: results.triggerWaited,
    input: z.strictObject({ trigger: field(shortText(), 'The id of the trigger, trg_….'), ...waiting }),
    async handle({ trigger: id, ...asked }, world) {
      const { trigger, waited } = await triggerWhen(id, asked, world)
      return { ...trigger, waited }
    },
  }),
] as const
