// Owns speaking with a task's agent: answers and further prompts. Both reply when the agent has them, or after a while.
import { Hono } from 'hono'
import { isOwnQuestion } from '../../domain/conversation/holdfast-question.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Input, Question } from '../../domain/task/task.ts'
import type { Answer } from '../../ports/agent-driver.ts'
import type { AnsweredJson, FinishedJson, SentJson } from '../../protocol/api.ts'
import { answerTask } from '../../supervisor/orders/answer-task.ts'
import { endConversation, sendPrompt } from '../../supervisor/orders/send-prompt.ts'
import type { Core } from '../../supervisor/task/core.ts'
import { findTask } from '../../supervisor/task/find-task.ts'
import { isTurnOver } from '../../supervisor/task/finish-order.ts'
import { callerOf, checkOwnTask } from '../caller.ts'
import type { ServerContext } from '../context.ts'
import { ordered } from '../ordered.ts'
import { answerSchema, body, inputSchema, nothingSchema } from '../requests/schemas.ts'
import { oneTask, questionJson, taskDetail } from '../views/task.ts'

/** Longer than an agent at rest takes; a busy one takes its prompt when its turn is over. */
const PATIENCE_MS = 5000
/** An agent at rest leaves sooner; a contract may take longer. */
const FINISH_PATIENCE_MS = 15_000

export function conversationRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const routes = new Hono()

  routes.post('/:id/answer', async (c) => {
    const { choice, question: number } = await body(c, answerSchema)
    const task = await findTask(core.store, c.req.param('id'))
    const { question, answer, way } = await answerTask(task, { choice, number, by: callerOf(c).name }, core)
    const now = async () => (await core.store.task(task.id))!
    const isOver = async () =>
      isClosing(question, answer)
        ? isEnded((await now()).status)
        : !(await core.store.openQuestions(task.id)).some((one) => one.number === question.number)
    const settled = await until(task.id, isOver, core)
    const answered: AnsweredJson = {
      session_id: task.id,
      question: { ...(await questionJson(question, task, core)), answer_way: way },
      answer: answer.text,
      settled,
      task: oneTask(await now(), core),
    }
    return c.json(answered)
  })

  routes.post('/:id/inputs', async (c) => {
    const asked = await body(c, inputSchema)
    const task = await findTask(core.store, c.req.param('id'))
    const by = callerOf(c).name
    const { number } =
      'end' in asked ? await endConversation(task, by, core) : await sendPrompt(task, asked.prompt, by, core)
    const now = async () => (await core.store.inputs(task.id)).find((one) => one.number === number)!
    await until(task.id, async () => isWithAgent(await now()), core)
    const { saidAt, heardAt } = await now()
    const { phase, mode, next, kept_back } = await taskDetail((await core.store.task(task.id))!, core)
    const sent: SentJson = {
      session_id: task.id,
      number,
      said: saidAt !== null,
      heard: heardAt !== null,
      phase,
      mode,
      next,
      kept_back,
    }
    return c.json(sent)
  })

  routes.post('/:id/finish', async (c) => {
    await body(c, nothingSchema)
    const task = await findTask(core.store, c.req.param('id'))
    checkOwnTask(callerOf(c), task)
    const acted = await ordered(c, { taskId: task.id, kind: 'finish' }, context)
    const now = async () => (await core.store.task(task.id))!
    const isOver = async () => isEnded((await now()).status)
    const finished = isTurnOver(task)
      ? await until(task.id, isOver, core, FINISH_PATIENCE_MS)
      : await isOver()
    const answer: FinishedJson = { already_ended: !acted, finished, task: oneTask(await now(), core) }
    return c.json(answer)
  })

  return routes
}

/** Its processes are gone when it has ended. */
const isClosing = (question: Question, { text }: Answer) => isOwnQuestion(question) && text === 'close'

const isWithAgent = ({ kind, heardAt }: Input) => kind === 'end' || heardAt !== null

/** Looks at every news of the task. False when patience ran out first. */
function until(
  id: TaskId,
  check: () => Promise<boolean>,
  core: Core,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const finish = (met: boolean) => {
      off()
      cancel()
      resolve(met)
    }
    const look = () => void check().then((met) => met && finish(true), reject)
    const off = core.waiters.on(id, look)
    const cancel = core.clock.after(patienceMs, () => finish(false))
    look()
  })
}
