// Owns the HTTP app: puts the routes together, and turns errors into JSON with code, message, hint and ways out.
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { errorCatalogue } from '../domain/errors/catalogue.ts'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { HEADER_VERSION } from '../protocol/headers.ts'
import { resolveCaller } from './caller.ts'
import type { ServerContext } from './context.ts'
import { checkQuery } from './contract/check-query.ts'
import { auditRefusals } from './refusals.ts'
import { checkRequest } from './requests/check.ts'
import { errorJson } from './requests/error-json.ts'
import { runtimeRoutes } from './routes/agents/runtime.ts'
import { selfRoutes } from './routes/agents/self.ts'
import { threadRoutes } from './routes/agents/threads.ts'
import { triggerRoutes } from './routes/agents/triggers.ts'
import { auditRoutes } from './routes/daemon/audit.ts'
import { daemonRoutes } from './routes/daemon/daemon.ts'
import { inboundRoutes } from './routes/daemon/inbound.ts'
import { journalRoutes } from './routes/daemon/journal.ts'
import { mcpRoutes } from './routes/daemon/mcp.ts'
import { metricsRoutes } from './routes/daemon/metrics.ts'
import { notifyRoutes } from './routes/daemon/notify.ts'
import { subscriberRoutes } from './routes/daemon/subscribers.ts'
import { trustRoutes } from './routes/daemon/trust.ts'
import { webRoutes } from './routes/daemon/web.ts'
import { changesRoutes } from './routes/tasks/changes.ts'
import { lifeRoutes } from './routes/tasks/life.ts'
import { monitorRoutes } from './routes/tasks/monitor.ts'
import { recoveryRoutes } from './routes/tasks/recovery.ts'
import { reportRoutes } from './routes/tasks/report.ts'
import { streamRoutes } from './routes/tasks/stream.ts'
import { taskRoutes } from './routes/tasks/task.ts'
import { terminalRoutes } from './routes/tasks/terminal.ts'
import { verifyRoutes } from './routes/tasks/verify.ts'
import { answerHeaders } from './web/answer-headers.ts'
import { guardTcp } from './web/guard.ts'
import { loginRoutes } from './web/login.ts'
import { refuseOverTcp } from './web/not-over-tcp.ts'
import { otherOrigins } from './web/other-origins.ts'
import { pageRoutes } from './web/page.ts'
import { refusalPage, wantsPage } from './web/refusal-page.ts'
import { tcpLimits } from './web/tcp-limits.ts'

export function serverApp(context: ServerContext): Hono {
  const app = new Hono()
  const audit = auditRefusals(context)
  const limits = tcpLimits(context)
  app.use(async (c, next) => {
    await next()
    c.header(HEADER_VERSION, context.about.version)
  })
  app.use(answerHeaders)
  // Before the door and who asks: a request there comes by another name, and says by its signature who it is.
  app.route('/inbound', inboundRoutes({ ...context, limits }))
  app.use(otherOrigins(context))
  app.use(guardTcp(context))
  app.route('/open', loginRoutes({ ...context, limits }))
  app.use(resolveCaller({ ...context, limits }))
  app.use(checkRequest)
  app.use(checkQuery)
  app.use(refuseOverTcp)
  app.route('/metrics', metricsRoutes(context))
  app.route('/api/tasks', taskRoutes(context))
  app.route('/api/tasks', streamRoutes(context))
  app.route('/api/tasks', lifeRoutes(context))
  app.route('/api/tasks', reportRoutes(context))
  app.route('/api/tasks', terminalRoutes(context))
  app.route('/api/tasks', changesRoutes(context))
  app.route('/api/runtimes', runtimeRoutes(context))
  app.route('/api', recoveryRoutes(context))
  app.route('/api', journalRoutes(context))
  app.route('/api/journal', subscriberRoutes(context))
  app.route('/api/monitor', monitorRoutes(context))
  app.route('/api/audit', auditRoutes(context))
  app.route('/api/threads', threadRoutes(context))
  app.route('/api/triggers', triggerRoutes(context))
  app.route('/api/trust', trustRoutes(context))
  app.route('/api/notify', notifyRoutes(context))
  app.route('/api', verifyRoutes(context))
  app.route('/api', daemonRoutes(context))
  app.route('/api/self', selfRoutes(context))
  app.route(
    '/mcp',
    mcpRoutes((path, init, inside) => app.request(path, init, inside), context),
  )
  app.route('/api/web', webRoutes(context))
  app.route('/', pageRoutes(context))
  app.notFound((c) =>
    c.json(
      errorJson(new HoldfastError('INVALID_REQUEST', `No such route: ${c.req.method} ${c.req.path}`)),
      404,
    ),
  )
  app.onError(async (error, c) => {
    const known = error instanceof HoldfastError
    if (!known)
      context.log.error('request failed', {
        path: c.req.path,
        error: messageOf(error),
        stack: error.stack,
      })
    if (known) await audit(c, error)
    const told = known ? error : new HoldfastError('INTERNAL', messageOf(error))
    if (wantsPage(c))
      return c.html(refusalPage(c, told), errorCatalogue[told.code].http as ContentfulStatusCode)
    return c.json(errorJson(told), errorCatalogue[told.code].http as ContentfulStatusCode)
  })
  return app
}
