// Owns saying something to a task's agent: answers and further prompts. The reply comes when the agent has heard it, or
// after a while.
import { Hono } from 'hono'
import type { TriggerId } from '../../../domain/names/ids.ts'
import type { AnsweredJson, SentJson } from '../../../protocol/json/input-json.ts'
import type { FinishedJson, KeysPressedJson } from '../../../protocol/json/order-json.ts'
import { callerOf, checkMayForce } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { ordered } from '../../ordered.ts'
import { checkReach } from '../../reach.ts'
import { keyOf, requestKeyOf } from '../../request-key.ts'
import { answerSchema, body, inputSchema, keysSchema, nothingSchema } from '../../requests/schemas.ts'
import { oneTask, questionJson, taskDetail } from '../../views/task.ts'
import { triggerJson } from '../../views/trigger.ts'

/** Longer than an idle agent takes to hear a prompt. A busy one hears it only when its turn is over. */
const PATIENCE_MS = 5000
/** Longer than an idle agent takes to end. Checking a contract may take even longer. */
const FINISH_PATIENCE_MS = 15_000

export function conversationRoutes(
  context: Uses<'tasks' | 'operators' | 'orders' | 'conversation' | 'look' | 'triggers', 'newName'>,
): Hono {
  const { desk, newName } = context
  const routes = new Hono()

  routes.post('/:id/answer', async (c) => {
    const { choice, question: number } = await body(c, answerSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    await checkReach(callerOf(c), task, 'answer questions of', 'started', desk)
    const key = requestKeyOf(c, 'POST /api/tasks/:id/answer', { id: task.id, choice, number })
    const given = await desk.conversation.answer(task, {
      choice,
      number,
      by: callerOf(c).name,
      ...(key && { key }),
    })
    const settled = await desk.conversation.whenAnswered(task.id, given, PATIENCE_MS)
    const answered: AnsweredJson = {
      session_id: task.id,
      question: questionJson(given),
      answer: given.answer.text,
      settled,
      task: oneTask(desk.look.briefly(await desk.tasks.get(task.id))),
    }
    return c.json(answered)
  })

  routes.post('/:id/inputs', async (c) => {
    const asked = await body(c, inputSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    // The orchestrator speaks to others, and does not end them.
    const reach = 'end' in asked ? 'started' : 'started_or_coordinated'
    await checkReach(callerOf(c), task, 'send prompts to', reach, desk)
    if ('force' in asked && asked.force !== undefined) checkMayForce(callerOf(c))
    const by = callerOf(c).name
    const request = requestKeyOf(c, 'POST /api/tasks/:id/inputs', { id: task.id, ...asked })
    const { number, triggerId } =
      'end' in asked
        ? await desk.conversation.end(task, by, request)
        : await desk.conversation.send(task, asked.prompt, by, { ...asked, request })
    const { saidAt, heardAt } = await desk.conversation.whenHeard(task.id, number, PATIENCE_MS)
    const sentAs = triggerId === null ? NO_TRIGGER : await asTrigger(triggerId)
    const { phase, mode, next, kept_back } = taskDetail(
      await desk.look.closely(await desk.tasks.get(task.id)),
    )
    const sent: SentJson = {
      ...sentAs,
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

  routes.post('/:id/keys', async (c) => {
    const { keys } = await body(c, keysSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    const key = requestKeyOf(c, 'POST /api/tasks/:id/keys', { id: task.id, keys })
    const by = callerOf(c).name
    await desk.conversation.press(task, { keys, by, name: keyOf(c) ?? newName(), ...(key && { key }) })
    const pressed: KeysPressedJson = { session_id: task.id, keys }
    return c.json(pressed)
  })

  routes.post('/:id/finish', async (c) => {
    await body(c, nothingSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    await checkReach(callerOf(c), task, 'finish', 'own_and_started', desk)
    const acted = await ordered(c, { taskId: task.id, kind: 'finish' }, context)
    const finished = await desk.conversation.whenFinished(task, FINISH_PATIENCE_MS)
    const answer: FinishedJson = {
      already_ended: !acted,
      finished,
      task: oneTask(desk.look.briefly(await desk.tasks.get(task.id))),
    }
    return c.json(answer)
  })

  async function asTrigger(id: TriggerId): Promise<TriggerPart> {
    const { trigger, steps } = await desk.triggers.track(id)
    const { trigger_id, state, code, sanitised, forced_by } = triggerJson(trigger)
    return { trigger_id, state, code, sanitised, forced_by, evidence: [...(steps.at(-1)?.evidence ?? [])] }
  }

  return routes
}

type TriggerPart = Pick<SentJson, 'trigger_id' | 'state' | 'code' | 'evidence' | 'sanitised' | 'forced_by'>
const NO_TRIGGER: TriggerPart = {
  trigger_id: null,
  state: null,
  code: null,
  evidence: [],
  sanitised: [],
  forced_by: null,
}
