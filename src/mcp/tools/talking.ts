// Tools to speak with the agent of another session.
import * as z from 'zod/mini'
import { field, type ToolWorld, taskId, tool, WRITES } from '../tool.ts'
import { briefly } from './tasks.ts'

export const talkingTools = [
  tool({
    name: 'answer',
    description:
      'Answer the question that a session asks. A run may not: whoever supervises it decides. See `questions` of `get_task`.',
    hints: WRITES,
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
      'Send a further prompt to the agent of a session that listens. It is said once, when the agent is ready for it. `heard` is true when the agent is known to have it; otherwise `next` says what it waits for.',
    hints: WRITES,
    input: z.strictObject({
      task: taskId(),
      text: field(z.string().check(z.minLength(1)), 'What to say.'),
    }),
    handle: ({ task: id, text }, world: ToolWorld) =>
      world.call('POST /api/tasks/:id/inputs', { id, body: { prompt: text } }),
  }),
] as const
