// Whom a run may act on, asked of the routes themselves: every row of the table with a reach, within it and outside of it.
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { HoldfastError } from '../../src/domain/errors.ts'
import type { RunId, TaskId } from '../../src/domain/names/ids.ts'
import { HEADER_RUN } from '../../src/protocol/headers.ts'
import { resolveCaller } from '../../src/server/caller.ts'
import type { ServerContext } from '../../src/server/context.ts'
import { checkRequest } from '../../src/server/requests/check.ts'
import { lifeRoutes } from '../../src/server/routes/tasks/life.ts'
import { taskRoutes } from '../../src/server/routes/tasks/task.ts'
import { runPermissions } from '../../src/server/run-permissions.ts'
import { startWaking } from '../bridge/waking-world.ts'
import { noTcp } from '../helpers/no-tcp.ts'

type Target = 'own' | 'child' | 'grandchild' | 'stranger'
type Body = (id: TaskId) => object

/** Every route with a reach: what is asked, and of whom it may be asked. */
const REACHES: Record<string, { body: Body; reaches: readonly Target[] }> = {
  'POST /api/tasks/:id/kill': { body: () => ({}), reaches: ['own', 'child', 'grandchild'] },
  'POST /api/tasks/:id/finish': { body: () => ({}), reaches: ['own', 'child', 'grandchild'] },
  'POST /api/tasks/kill': { body: (id) => ({ ids: [id] }), reaches: ['own', 'child', 'grandchild'] },
  'POST /api/tasks/:id/answer': { body: () => ({ choice: 'yes' }), reaches: ['child', 'grandchild'] },
  'POST /api/tasks/:id/inputs': { body: () => ({ prompt: 'go on' }), reaches: ['child', 'grandchild'] },
  'POST /api/tasks/:id/heartbeat': { body: () => ({}), reaches: ['own'] },
  'POST /api/tasks/:id/result': { body: () => ({ result: {} }), reaches: ['own'] },
}
const TARGETS: readonly Target[] = ['own', 'child', 'grandchild', 'stranger']

async function world() {
  const it = await startWaking({ 'recursion.depth': 3, maxConcurrent: 9, 'orchestrator.role': 'lead' })
  // What is ordered is not the question here: whoever is let through would have it done.
  const orders = { ...it.desk.orders, give: async () => async () => true }
  const send = async () => {
    throw new HoldfastError('AGENT_CANNOT', 'it would have been sent')
  }
  const conversation = { ...it.desk.conversation, send, whenFinished: async () => true }
  const context = {
    ...it,
    desk: { ...it.desk, orders, conversation },
    log: it.core.log,
    stopping: it.stopping.signal,
  } as unknown as ServerContext
  const app = new Hono()
  app.use(resolveCaller({ ...noTcp(), desk: it.desk, clock: it.clock, tokens: it.core.tokens }))
  app.use(checkRequest)
  app.route('/api/tasks', taskRoutes(context))
  app.route('/api/tasks', lifeRoutes(context))
  app.onError((error, c) => c.text(error instanceof HoldfastError ? error.code : `${error.stack}`, 400))
  const ask = async (run: RunId, route: string, id: TaskId, body: object) => {
    const [method, path] = route.replace(':id', id).split(' ') as [string, string]
    const headers = { [HEADER_RUN]: run, 'content-type': 'application/json' }
    return (await app.request(path, { method, headers, body: JSON.stringify(body) })).text()
  }
  return { ...it, ask }
}

test('every route whose row has a reach is asked here', () => {
  const open = Object.entries(runPermissions).filter(([, one]) => one !== 'may' && typeof one === 'string')
  expect(open.map(([route]) => route).sort()).toEqual(Object.keys(REACHES).sort())
})

test.each(Object.entries(REACHES))('%s: a run reaches %j', async (route, { body, reaches }) => {
  const it = await world()
  const own = await it.agent('own')
  const child = await it.agent('child', { parentId: own.id })
  const grandchild = await it.agent('grandchild', { parentId: child.id })
  const targets = { own, child, grandchild, stranger: await it.agent('stranger') }
  const answers: Record<string, string> = {}
  for (const target of TARGETS) {
    const { id } = targets[target]
    answers[target] = await it.ask(own.runId, route, id, body(id))
  }
  const isRefused = (target: string) => answers[target]?.includes('NOT_ALLOWED_FOR_RUN')
  expect(TARGETS.filter((target) => !isRefused(target))).toEqual(reaches)
  for (const target of reaches) expect(answers[target]).not.toMatch(/INVALID_REQUEST|^Error/)
})

test('an orchestrator may send to a runtime of its workspace, and end none', async () => {
  const it = await world()
  const [lead, worker] = [await it.runtimeUp('lead'), await it.runtimeUp('worker')]
  const run = (await it.task(lead.id)).runId!
  const ask = (route: string, body: object) => it.ask(run, route, worker.id, body)
  expect(await ask('POST /api/tasks/:id/inputs', { prompt: 'go on' })).toBe('AGENT_CANNOT')
  for (const route of ['POST /api/tasks/:id/kill', 'POST /api/tasks/:id/finish'])
    expect(await ask(route, {})).toContain('NOT_ALLOWED_FOR_RUN')
  const back = (await it.task(worker.id)).runId!
  expect(await it.ask(back, 'POST /api/tasks/:id/inputs', lead.id, { prompt: 'go on' })).toContain(
    'NOT_ALLOWED_FOR_RUN',
  )
})
