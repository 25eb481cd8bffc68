// Owns speaking with a task's agent: answers and further prompts. Both reply when the agent has them, or after a while.
import { Hono } from 'hono'
import type { TaskId } from '../domain/ids.ts'
import type { Input } from '../domain/task.ts'
import type { AnsweredJson, SentJson } from '../protocol/api.ts'
import { answerTask } from '../supervisor/answer-task.ts'
import type { Core } from '../supervisor/core.ts'
import { findTask } from '../supervisor/find-task.ts'
import { endConversation, sendPrompt } from '../supervisor/send-prompt.ts'
import { actorOf, personOnly } from './caller.ts'
import type { ServerContext } from './context.ts'
import { answerSchema, body, inputSchema } from './schemas.ts'
import { questionJson } from './task-views.ts'

/** Longer than an agent at rest takes; a busy one takes its prompt when its turn is over. */
const PATIENCE_MS = 5000

export function conversationRoutes({ supervisor }: ServerContext): Hono {
  const { core } = supervisor
  const routes = new Hono()

  routes.post('/:id/answer', async (c) => {
    personOnly(c, 'answer questions')
    const { choice, question: number } = await body(c, answerSchema)
    const task = await findTask(core.store, c.req.param('id'))
    const { question, answer } = await answerTask(task, { choice, number, by: actorOf(c) }, core)
    const isOpen = async () =>
      (await core.store.openQuestions(task.id)).some((one) => one.number === question.number)
    const settled = await until(task.id, async () => !(await isOpen()), core)
    const answered: AnsweredJson = {
      session_id: task.id,
      question: questionJson(question),
      answer: answer.text,
      settled,
    }
    return c.json(answered)
  })

  routes.post('/:id/inputs', async (c) => {
    personOnly(c, 'speak to agents')
    const asked = await body(c, inputSchema)
    const task = await findTask(core.store, c.req.param('id'))
    const by = actorOf(c)
    const { number } =
      'end' in asked ? await endConversation(task, by, core) : await sendPrompt(task, asked.prompt, by, core)
    const now = async () => (await core.store.inputs(task.id)).find((one) => one.number === number)!
    await until(task.id, async () => isWithAgent(await now()), core)
    const { saidAt, heardAt } = await now()
    const sent: SentJson = { session_id: task.id, number, said: saidAt !== null, heard: heardAt !== null }
    return c.json(sent)
  })

  return routes
}

const isWithAgent = ({ kind, heardAt }: Input) => kind === 'end' || heardAt !== null

/** Looks at every ring of the task's bell. False when patience ran out first. */
function until(id: TaskId, check: () => Promise<boolean>, core: Core): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const finish = (met: boolean) => {
      off()
      cancel()
      resolve(met)
    }
    const look = () => void check().then((met) => met && finish(true), reject)
    const off = core.bell.on(id, look)
    const cancel = core.clock.after(PATIENCE_MS, () => finish(false))
    look()
  })
}
