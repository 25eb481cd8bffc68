import { Hono } from 'hono'
import type { Uses } from '../../context.ts'
import { reportJson } from '../../views/report.ts'

/** What a colleague, or the page, is shown of a session's work. */
export function reportRoutes({ desk, about }: Uses<'tasks' | 'look' | 'output' | 'report', 'about'>): Hono {
  const routes = new Hono()

  routes.get('/:id/report', async (c) => {
    const task = await desk.tasks.find(c.req.param('id'))
    return c.json(
      reportJson({
        detail: await desk.look.closely(task),
        story: await desk.look.story(task),
        inputs: await desk.report.inputs(task),
        output: await desk.report.outputEnd(task),
        result: await desk.output.result(task),
        changes: await desk.report.changes(task),
        version: about.version,
      }),
    )
  })

  return routes
}
